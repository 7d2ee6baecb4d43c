import { useShared } from "./shared.ts";

/** Messages at the edge of the screen. Their component is loaded with the first one. */
export interface ToastMessage {
  readonly title: string;
  readonly description?: string | undefined;
  readonly type?: "error";
}

export const makeToasts = () => {
  let deliver: ((message: ToastMessage) => void) | null = null;
  let waiting: Array<ToastMessage> = [];
  let request: () => void = () => {};
  const send = (message: ToastMessage) => {
    if (deliver === null) waiting.push(message);
    else deliver(message);
    request();
  };
  return {
    /** Sets what loads the component. */
    onFirst: (load: () => void): void => {
      request = load;
    },
    /** Sets what shows messages, and hands over what waits. */
    onMessage: (show: (message: ToastMessage) => void): void => {
      deliver = show;
      for (const message of waiting) show(message);
      waiting = [];
    },
    /** Says that something happened. */
    toast: (title: string, description?: string): void => send({ title, description }),
    /** Says what went wrong, in the words of the API. */
    toastError: (title: string, description: string): void =>
      send({ title, description, type: "error" }),
  };
};

export const useToasts = () => useShared(makeToasts);
