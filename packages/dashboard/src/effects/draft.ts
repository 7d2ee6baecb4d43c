import { useDraft, writeDraft } from "../parts/useDraft.ts";

const nameOf = (callId: string) => `effect ${callId}`;

/** The note for a call whose reply was lost: one draft, wherever the call is shown. */
export const useNote = (callId: string) => useDraft(nameOf(callId));

/** Removes the draft. */
export const forgetNote = (callId: string): void => writeDraft(nameOf(callId), "");
