/** The stored form of a secret value, under a master key. Bytes in base64. */
export interface SealedValue {
  readonly keyId: string;
  readonly nonce: string;
  readonly sealed: string;
}
