// The functions `bench.*` of the dashboard's benchmarks. They run in the page before its own
// scripts. Times are by the page's clock, in milliseconds.
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

globalThis.bench = {
  /**
   * Resolves when `columns` columns have a card and `j` has moved the focus to a card. Returns the
   * time since the start of the navigation.
   */
  interactive: async (columns) => {
    const filled = () =>
      [...document.querySelectorAll("[data-column]")].filter((column) =>
        column.querySelector("[data-issue]"),
      );
    while (filled().length < columns) await frame();
    const focused = () => document.activeElement?.closest("[data-issue]") ?? null;
    while (focused() === null) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
      if (focused() === null) await frame();
    }
    await frame();
    return performance.now();
  },

  /**
   * Resolves when this number of nodes and their edges is drawn. Returns the time since the start
   * of the navigation.
   */
  drawn: async (nodes) => {
    const drawnNode = () => {
      const links = document.querySelectorAll("[data-picture] a[data-id]");
      return links.length < nodes ? undefined : links[nodes - 1];
    };
    while (
      drawnNode()?.checkVisibility({ visibilityProperty: true }) !== true ||
      document.querySelector("[data-picture] .react-flow__edge-path") === null
    ) {
      await frame();
    }
    await frame();
    return performance.now();
  },

  /** Scrolls each column to its end, 300 pixels per frame. Resolves with the number of cards. */
  scroll: async () => {
    let cards = 0;
    for (const list of document.querySelectorAll("[data-column] [role=list]")) {
      const { parentElement: scroller } = list;
      // The next page may take a while.
      for (let still = 0; still < 60; still++) {
        const before = scroller.scrollTop;
        scroller.scrollTop += 300;
        await frame();
        if (scroller.scrollTop > before) still = 0;
      }
      cards += Number(list.querySelector("[aria-setsize]")?.ariaSetSize ?? 0);
      scroller.scrollTop = 0;
    }
    return cards;
  },

  /**
   * Has another client make the change. Resolves with the time until the column shows the card with
   * the title.
   */
  change: async (id, title, status) => {
    const began = performance.now();
    void benchChange(id, title, status);
    for (;;) {
      await frame();
      const card = document.querySelector(`[data-column="${status}"] [data-issue="${id}"]`);
      if (card?.textContent.includes(title)) return performance.now() - began;
    }
  },

  /**
   * Scrolls the log from its start: 600 frames of 400 pixels, 60 jumps, and its end. Rejects if a frame shows no line.
   */
  scrollLog: async () => {
    const scroller = document.querySelector("[aria-label='Lines of the log']").parentElement;
    const most = scroller.scrollHeight;
    const to = async (top) => {
      scroller.scrollTop = top;
      await frame();
      await frame();
      if (scroller.querySelector("[role=listitem]") === null) throw new Error("no line is shown");
    };
    for (let step = 0; step < 600; step++) await to(step * 400);
    for (let jump = 1; jump <= 60; jump++) await to((most * ((jump * 37) % 60)) / 60);
    await to(most);
  },

  /** Has `benchDo` do something to a run. Resolves with the time until the page shows the text that it leads to. */
  seen: async (text, ...what) => {
    const began = performance.now();
    void benchDo(...what);
    const shown = document.querySelector("main") ?? document.body;
    while (!shown.textContent.includes(text)) await frame();
    await frame();
    return performance.now() - began;
  },

  /** Has the run log a line. Resolves with the time until the log shows it. */
  logged: async (text, from, writer) => {
    const began = performance.now();
    void benchLog(text, from, writer);
    const isShown = () =>
      document.querySelector("[aria-label='Lines of the log']")?.textContent.includes(text);
    while (!isShown()) await frame();
    await frame();
    return performance.now() - began;
  },

  /**
   * Entries of the performance timeline, except two types of which a browser retains only a few
   * hundred.
   */
  entries: () =>
    performance
      .getEntries()
      .filter(({ entryType }) => !["resource", "long-animation-frame"].includes(entryType)).length,
};
