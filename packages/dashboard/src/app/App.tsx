import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Suspense } from "react";
import { useData } from "../data/live/data.ts";
import { useSession } from "../data/live/session.ts";
import { lazily } from "../parts/lazily.ts";
import { Toasts } from "../parts/Toasts.tsx";
import type { makeRouter } from "./router.ts";

const SignInPage = lazily(() => import("./SignInPage.tsx"), "SignInPage");
const SignInAgain = lazily(() => import("./SignInAgain.tsx"), "SignInAgain");

export const App = ({ router }: { readonly router: ReturnType<typeof makeRouter> }) => {
  const { queries } = useData();
  const session = useSession();
  if (session.status === "starting") return null;
  return (
    <CSPProvider disableStyleElements>
      {session.status === "out" ? (
        <Suspense>
          <SignInPage refused={session.refused} />
        </Suspense>
      ) : (
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <Suspense>{session.status === "expired" ? <SignInAgain /> : null}</Suspense>
        </QueryClientProvider>
      )}
      <Toasts />
    </CSPProvider>
  );
};
