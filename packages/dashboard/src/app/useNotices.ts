import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useData, useStore } from "../data/live/data.ts";
import { noticeStore } from "../data/notices.ts";

/** Shows browser notifications while the page is open, as the user chose. */
export const useNotices = (): void => {
  const { base } = useData();
  const { onNotices, refresh } = useStore(noticeStore);
  const router = useRouter();
  useEffect(() => {
    let end = () => {};
    let isOver = false;
    void import("./notifications.ts").then(
      ({ showNotices }) => {
        if (!isOver) end = showNotices(base, onNotices, (to) => void router.navigate({ to }));
      },
      () => {},
    );
    addEventListener("storage", refresh);
    return () => {
      isOver = true;
      end();
      removeEventListener("storage", refresh);
    };
  }, [base, onNotices, refresh, router]);
};
