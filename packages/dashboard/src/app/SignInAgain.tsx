import { Dialog } from "../parts/Dialog.tsx";
import { SignInForm } from "./SignInForm.tsx";

/** Over the screen, which stays as it is: requests wait, and go on after it. */
export const SignInAgain = () => (
  <Dialog open onClose={() => {}} title="Your session has ended" stays>
    <p>
      Sign in again as the same user to continue: what you typed is still there. For another user
      the page is loaded again, without it.
    </p>
    <SignInForm />
  </Dialog>
);
