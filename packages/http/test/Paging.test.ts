import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const nextOf = (link: string | null): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(link ?? "")?.[1];

/** Walks a list to its end. */
const walk = async (path: string, key = world.keys.owner.key) => {
  const pages: Array<Array<{ readonly id: string }>> = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer = await world.as(key)("GET", next);
    assert.strictEqual(answer.status, 200, answer.text);
    pages.push(answer.body);
    next = nextOf(answer.headers.get("link"));
  }
  return pages;
};

describe("paging", () => {
  it("[paging.link] next links lead through every list, in both orders, without a gap", async () => {
    const { id } = await world.issue({}, "paged");
    for (let index = 0; index < 4; index++) {
      const other = await world.issue({ priority: "low" }, "paged");
      await world.call("POST", `/api/projects/issues/${id}/comments`, {
        body: { content: `${index}`, authorType: "User" },
      });
      await world.call("POST", `/api/projects/issues/${id}/links`, {
        body: { targetIssueId: other.id, linkType: "RelatedTo" },
      });
      await world.attach(id, new File(["x"], "x.txt"));
      await world.as(world.keys.admin.key)("PUT", `/api/agents/agent-${index}`, { body: {} });
    }
    for (const [path, oldestFirst] of [
      ["/api/projects/paged/issues", false],
      [`/api/projects/issues/${id}/comments`, true],
      [`/api/projects/issues/${id}/activity`, true],
      [`/api/projects/issues/${id}/links`, true],
      [`/api/projects/issues/${id}/attachments`, true],
      ["/api/agents", false],
      ["/api/keys", false],
    ] as const) {
      const all = (await walk(`${path}?limit=500`)).flat().map((item) => item.id);
      assert.isAtLeast(all.length, 4, path);
      const pages = await walk(`${path}?limit=3`);
      assert.deepStrictEqual(
        pages.flat().map((item) => item.id),
        all,
        path,
      );
      assert.isTrue(
        pages.slice(0, -1).every((page) => page.length === 3),
        path,
      );
      const turned = await walk(`${path}?limit=3&order=${oldestFirst ? "desc" : "asc"}`);
      assert.deepStrictEqual(
        turned.flat().map((item) => item.id),
        all.toReversed(),
        path,
      );
    }
  });

  it("[paging.query] the next link repeats the other parameters, and a cursor is valid only with them", async () => {
    const path = "/api/projects/paged/issues?limit=2&priority=low&q=mend%20the";
    const answer = await world.call("GET", path);
    const next = nextOf(answer.headers.get("link"))!;
    const query = new URL(next, world.url).searchParams;
    assert.deepStrictEqual(
      [query.get("limit"), query.get("priority"), query.get("q")],
      ["2", "low", "mend the"],
    );
    assert.strictEqual((await walk(path)).flat().length, 4);
    const cursor = query.get("cursor")!;
    for (const other of ["?priority=high", "", "?priority=low&q=mend+the&order=asc"]) {
      const sign = other === "" ? "?" : "&";
      const stolen = await world.call(
        "GET",
        `/api/projects/paged/issues${other}${sign}cursor=${encodeURIComponent(cursor)}`,
      );
      assert.strictEqual(stolen.status, 400, other);
    }
  });

  it("[paging.cursor] a cursor that was changed by one character is not a cursor", async () => {
    for (let n = 0; n < 3; n++) await world.issue({ title: "Mend" }, "cursors");
    const { id } = await world.issue(
      { title: "Mend", assignedAgentId: "agent-cursors" },
      "cursors",
    );
    await world.call("PUT", `/api/projects/issues/${id}`, { body: { status: "Resolved" } });
    const list = "/api/projects/cursors/issues?limit";
    const paths = [
      `${list}=1`,
      `${list}=2`,
      `${list}=3`,
      `${list}=2&sort=updated`,
      `${list}=2&sort=priority`,
      `${list}=2&q=mend`,
      `/api/projects/issues/${id}/activity?limit=1`,
    ];
    for (const path of paths) {
      const { headers } = await world.call("GET", path);
      const next = new URL(nextOf(headers.get("link"))!, world.url);
      const cursor = next.searchParams.get("cursor")!;
      const last = cursor.slice(-1);
      for (const character of "0Aox-=") {
        const others = character === last ? [] : [cursor.slice(0, -1) + character];
        for (const other of [...others, cursor + character, character + cursor]) {
          const query = `${path}&cursor=${encodeURIComponent(other)}`;
          assert.strictEqual((await world.call("GET", query)).status, 400, query);
        }
      }
      const same = await world.call("GET", `${path}&cursor=${encodeURIComponent(cursor)}`);
      assert.strictEqual(same.status, 200, path);
    }
  });

  it("[search.http] a list with q is by relevance, which requires q", async () => {
    for (const title of ["Slate", "Mend", "Slates"]) {
      await world.issue({ title, description: "slate" }, "searched");
    }
    const path = "/api/projects/searched/issues?view=brief&limit=1";
    const pages = await walk(`${path}&q=slat`);
    assert.lengthOf(pages, 3);
    const { body } = await world.call("GET", "/api/projects/searched/issues?q=slat");
    const titles = body.map((issue: { readonly title: string }) => issue.title);
    assert.deepStrictEqual(titles, ["Slates", "Slate", "Mend"]);
    assert.deepStrictEqual(
      pages.flat().map(({ id }) => id),
      body.map((issue: { readonly id: string }) => issue.id),
    );
    const answer = await world.call("GET", `${path}&q=slat&sort=relevance`);
    assert.isNull(answer.headers.get("quartermaster-truncated"));
    assert.isNull(answer.headers.get("quartermaster-as-of"));
    assert.deepStrictEqual(answer.body[0].matchedIn, ["title", "description"]);
    assert.strictEqual((await world.call("GET", `${path}&sort=relevance`)).status, 400);
  });

  it("[paging.stable] inserts between two pages neither repeat nor hide a row", async () => {
    for (let index = 0; index < 4; index++) await world.issue({}, "moving");
    const first = await world.call("GET", "/api/projects/moving/issues?limit=2");
    await world.issue({}, "moving");
    const second = await world.call("GET", nextOf(first.headers.get("link"))!);
    const ids = [...first.body, ...second.body].map((issue: { readonly id: string }) => issue.id);
    assert.strictEqual(new Set(ids).size, 4);
    assert.isNull(second.headers.get("link"));
  });

  it("[paging.public-url] the link is absolute where the public URL is known", async () => {
    const other = await World.forTest({ http: { publicUrl: "https://qm.example" } });
    await other.issue();
    await other.issue();
    const answer = await other.call("GET", "/api/projects/p1/issues?limit=1");
    assert.match(
      nextOf(answer.headers.get("link")) ?? "",
      /^https:\/\/qm\.example\/api\/projects\/p1\/issues\?limit=1&cursor=/,
    );
  });
});
