import { useShared } from "./shared.ts";

/** A short message at the edge of the screen. The component that shows messages loads with the first one. */
export interface ToastMessage {
  /** A message with the id of one that is shown replaces it, and stays until it is closed. */
  readonly id?: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly type?: "error";
  readonly action?:
    | { readonly text: string; readonly keys?: string; readonly run: () => void }
    | undefined;
}

/** Shows a message, or closes the one with an id. */
export interface ToastDisplay {
  readonly show: (message: ToastMessage) => void;
  readonly close: (id: string) => void;
}

export const makeToasts = () => {
  let display: ToastDisplay | null = null;
  let waiting: Array<ToastMessage> = [];
  let request: () => void = () => {};
  const send = (message: ToastMessage) => {
    if (display === null) waiting.push(message);
    else display.show(message);
    request();
  };
  return {
    /** Sets the function that loads the component. */
    onFirst: (load: () => void): void => {
      request = load;
    },
    /** Sets the display, and passes it the queued messages. */
    onMessage: (next: ToastDisplay): void => {
      display = next;
      for (const message of waiting) next.show(message);
      waiting = [];
    },
    /** Shows a success or a notice, with an action as long as it is shown. */
    toast: (title: string, description?: string, action?: ToastMessage["action"]): void =>
      send({ title, description, action }),
    /** Shows an error, in the words of the API. */
    toastError: (title: string, description: string): void =>
      send({ title, description, type: "error" }),
    /** Shows a message with an action until it is closed. */
    toastAction: (message: ToastMessage & Required<Pick<ToastMessage, "id" | "action">>): void =>
      send(message),
    closeToast: (id: string): void => {
      waiting = waiting.filter((message) => message.id !== id);
      display?.close(id);
    },
  };
};

export const useToasts = () => useShared(makeToasts);
