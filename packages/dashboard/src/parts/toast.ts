import { useShared } from "./shared.ts";

/** A short message at the edge of the screen. The component that shows messages loads with the first one. */
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
    /** Sets the function that loads the component. */
    onFirst: (load: () => void): void => {
      request = load;
    },
    /** Sets the function that shows messages, and passes it the queued ones. */
    onMessage: (show: (message: ToastMessage) => void): void => {
      deliver = show;
      for (const message of waiting) show(message);
      waiting = [];
    },
    /** Shows a success or a notice. */
    toast: (title: string, description?: string): void => send({ title, description }),
    /** Shows an error, in the words of the API. */
    toastError: (title: string, description: string): void =>
      send({ title, description, type: "error" }),
  };
};

export const useToasts = () => useShared(makeToasts);
