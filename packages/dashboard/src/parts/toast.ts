/** Messages at the edge of the screen. Their component is loaded with the first one. */
export interface ToastMessage {
  readonly title: string;
  readonly description?: string | undefined;
  readonly type?: "error";
}

let deliver: ((message: ToastMessage) => void) | null = null;
let waiting: Array<ToastMessage> = [];
let request: () => void = () => {};

/** Sets what loads the component. */
export const onFirst = (load: () => void): void => {
  request = load;
};

/** Sets what shows messages, and hands over what waits. */
export const onMessage = (show: (message: ToastMessage) => void): void => {
  deliver = show;
  for (const message of waiting) show(message);
  waiting = [];
};

const send = (message: ToastMessage) => {
  if (deliver === null) waiting.push(message);
  else deliver(message);
  request();
};

/** Says that something happened. */
export const toast = (title: string, description?: string): void => send({ title, description });

/** Says what went wrong, in the words of the API. */
export const toastError = (title: string, description: string): void =>
  send({ title, description, type: "error" });
