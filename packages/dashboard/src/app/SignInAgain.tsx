import { Dialog } from "../parts/Dialog.tsx";
import { SignInForm } from "./SignInForm.tsx";

/** Over the screen, which stays as it is: requests wait, and go on after it. */
export const SignInAgain = () => (
  <Dialog open onClose={() => {}} title="Your session has ended" stays>
    <p>Sign in again to go on. What you typed is still there.</p>
    <SignInForm />
  </Dialog>
);
