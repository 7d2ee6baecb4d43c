/** The identity of an effect, and the name that its caller gave it. */
export interface EffectKey {
  readonly identity: string;
  readonly arguments: string;
  readonly name: string | null;
}
