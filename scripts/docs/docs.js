// The script of the documentation's pages: the theme, which the dashboard shares, and search
// results while the user types. Without the script the pages work, and the search is a form.
(() => {
  const key = "quartermaster theme";
  const themes = ["system", "light", "dark"];

  // The browser may block access to storage.
  const stored = () => {
    try {
      const value = localStorage.getItem(key);
      return themes.includes(value) ? value : "system";
    } catch {
      return "system";
    }
  };

  const show = (theme) => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    const button = document.querySelector(".theme");
    if (button === null) return;
    button.hidden = false;
    button.textContent = `Theme: ${theme}`;
  };

  // Sets the theme before the first paint.
  show(stored());

  const changeTheme = () => {
    const next = themes[(themes.indexOf(stored()) + 1) % themes.length];
    try {
      localStorage.setItem(key, next);
    } catch {
      // Without storage the choice applies only to this page.
    }
    show(next);
  };

  const itemOf = ({ excerpt, heading, title, url }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = url;
    link.append(heading === null ? title : `${title}: ${heading}`);
    const text = document.createElement("small");
    text.textContent = excerpt;
    link.append(text);
    item.append(link);
    return item;
  };

  const search = (form) => {
    const input = form.querySelector("input");
    const found = form.querySelector(".found");
    let latest;
    let timer;

    const update = async () => {
      const query = input.value.trim();
      latest?.abort();
      if (query === "") return found.replaceChildren();
      latest = new AbortController();
      const { signal } = latest;
      try {
        const response = await fetch(`${form.action}?q=${encodeURIComponent(query)}`, {
          headers: { accept: "application/json" },
          signal,
        });
        const results = await response.json();
        if (!signal.aborted) found.replaceChildren(...results.slice(0, 8).map(itemOf));
      } catch {
        // The next keystroke or a submit of the form retries.
      }
    };

    const move = (step) => {
      const links = [...found.querySelectorAll("a")];
      const next = links.indexOf(document.activeElement) + step;
      (links[next] ?? input).focus();
    };

    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(update, 100);
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        found.replaceChildren();
        input.focus();
      } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        move(event.key === "ArrowDown" ? 1 : -1);
      }
    });
    form.addEventListener("focusout", ({ relatedTarget }) => {
      if (!form.contains(relatedTarget)) found.replaceChildren();
    });
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target instanceof HTMLInputElement;
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.focus();
    });
  };

  document.addEventListener("DOMContentLoaded", () => {
    show(stored());
    document.querySelector(".theme")?.addEventListener("click", changeTheme);
    const form = document.querySelector(".search");
    if (form !== null) search(form);
  });
})();
