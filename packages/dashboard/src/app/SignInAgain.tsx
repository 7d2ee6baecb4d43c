import { Dialog } from "../parts/Dialog.tsx";
import { SignInForm } from "./SignInForm.tsx";

/** The sign-in dialog for an expired session. The screen stays, and pending requests continue after sign-in. */
export const SignInAgain = () => (
  <Dialog open onClose={() => {}} title="Your session has ended" stays>
    <p>
      Sign in again as the same user to continue; nothing you typed is lost. If you sign in as
      another user, the page reloads and discards what you typed.
    </p>
    <SignInForm />
  </Dialog>
);
