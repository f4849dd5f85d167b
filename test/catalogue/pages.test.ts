import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { long } from '../support/long.ts';
import { fieldCodes, type RawResponse } from '../support/raw.ts';
import type { Records } from '../support/records.ts';
import { type Send, senderOf } from '../support/sender.ts';
import { severalRecords } from '../support/several-records.ts';
import { closed, idsAmong, pathWith, type Sweep } from '../support/swept.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Sizes of pages, walks through them, and cursors, of every list that has pages (docs/specification/requests.md, "Lists"). */

/** The largest page of each, which a larger size is reduced to. */
const largest: Record<string, number> = {
  listAuditEvents: 100,
  listCalendarEvents: 250,
  listConversations: 100,
  listDeals: 100,
  listDeletions: 100,
  listExports: 100,
  listHistory: 100,
  listImportRows: 500,
  listImports: 100,
  listMailImports: 100,
  listMessages: 100,
  listNotifications: 100,
  listProposals: 100,
  listTasks: 100,
  listThreads: 50,
  searchRecords: 50,
  showTimeline: 100,
};

/** Lists with fewer records here, with the test of their pages. */
const short: Record<string, string> = {
  listImportRows: 'test/operations/imports/list-import-rows.test.ts',
  listMailImports: 'test/operations/mailboxes/list-mail-imports.test.ts',
};

const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

/** What a list asks for. */
const queries: Record<string, (records: Records) => string> = {
  // Without it the first page begins now, and others lead into the past.
  listCalendarEvents: () => `starts_before=${tomorrow}`,
  searchRecords: () => 'query=o',
  showTimeline: ({ contacts }) => `contact_id=${contacts}`,
};

const sizes = ['limit', 'per_page'];
const lists = closed
  .filter(({ method }) => method === 'GET')
  .flatMap((sweep) => {
    const { query = {}, name: operation } = sweep.definition;
    const size = sizes.find((name) => name in query);
    return size ? [{ ...sweep, size, operation, query }] : [];
  });
/** Of those that exist for several types, the one of contacts. */
const isOfContacts = ({ definition, template }: Sweep) =>
  typeof definition.path === 'string' || template.startsWith('/contacts/');
const forOne = lists.filter(isOfContacts);
const withCursors = closed
  .filter(({ definition: { query = {} } }) => 'next_cursor' in query)
  .filter(isOfContacts);
const bothWays = (sweep: Sweep) => 'prev_cursor' in (sweep.definition.query ?? {});

type Page = Record<string, unknown>;

/** The page itself: `{collection}`, `{search}`, or what has no wrapper. */
const pageIn = ({ json }: RawResponse): Page =>
  (json.collection ?? json.search ?? json.timeline ?? json) as Page;
const recordsIn = (page: Page) =>
  (page.records ?? page.results ?? page.entries ?? page.messages) as { id?: string; record?: object }[];
const infoOf = (page: Page) => (page.page_info ?? {}) as Record<string, string | number | null>;

/** The parameter of the page after this one. */
function following(page: Page): string | undefined {
  const { next_cursor } = infoOf(page);
  if (next_cursor) return `next_cursor=${encodeURIComponent(next_cursor)}`;
  if (Number(page.page) < Number(page.pages) || ('results' in page && page.has_more))
    return `page=${Number(page.page) + 1}`;
  if (page.has_more_before || ('entries' in page && page.has_more))
    return `before=${encodeURIComponent(String(page.oldest_timestamp))}`;
  return undefined;
}

function preceding(page: Page): string | undefined {
  const { prev_cursor } = infoOf(page);
  return prev_cursor ? `prev_cursor=${encodeURIComponent(prev_cursor)}` : undefined;
}

describe('pages', () => {
  let workspace: Workspace;
  let send: Send;
  let records: Records;
  beforeAll(async () => {
    workspace = await startWorkspace();
    send = senderOf(workspace);
    records = await severalRecords(workspace, workspace.ada);
  });
  afterAll(() => workspace.stop());

  const get = (sweep: Sweep, ...asked: string[]) => {
    const path = pathWith(sweep, idsAmong(sweep, records));
    const own = queries[sweep.definition.name]?.(records);
    return send(workspace.ada.session_token, 'GET', `${path}?${[...asked, ...(own ? [own] : [])].join('&')}`);
  };
  async function pageOf(sweep: Sweep, ...asked: string[]): Promise<Page> {
    const response = await get(sweep, ...asked);
    expect(response.status, response.text).toBe(200);
    return pageIn(response);
  }
  /** Pages of one record, up to the last one. */
  async function walk(
    sweep: (typeof lists)[number],
    next: (page: Page) => string | undefined,
    from?: string,
  ) {
    const pages = [];
    for (let at = from; pages.length < 50; ) {
      const page = await pageOf(sweep, `${sweep.size}=1`, ...(at ? [at] : []));
      pages.push(page);
      at = next(page);
      if (!at) return pages;
    }
    return expect.fail('no last page');
  }

  it('are of these lists', () => {
    expect(forOne.map(({ operation }) => operation).sort()).toEqual(Object.keys(largest));
  });

  it.each(forOne)('have a size of at least one, in whole numbers: $name', async (sweep) => {
    for (const bad of long ? ['0', '-1', '1.5', 'abc', ''] : ['0', '1.5']) {
      const response = await get(sweep, `${sweep.size}=${bad}`);
      expect([bad, response.status, Object.keys(fieldCodes(response))]).toEqual([bad, 400, [sweep.size]]);
    }
  });

  it.each(forOne)('have a largest size: $name', async (sweep) => {
    const most = largest[sweep.operation] as number;
    for (const asked of long ? [most, most + 1, 1_000_000] : [most + 1]) {
      const page = await pageOf(sweep, `${sweep.size}=${asked}`);
      expect([asked, infoOf(page).limit ?? page.per_page ?? most]).toEqual([asked, most]);
      expect(sweep.query[sweep.size]?.parse(String(asked))).toBe(most);
    }
  });

  const walked = forOne.filter(({ operation }) => !short[operation]);

  it.each(walked)('of one record make the whole list: $name', async (sweep) => {
    const whole = recordsIn(await pageOf(sweep, `${sweep.size}=1000`));
    expect(whole.length).toBeGreaterThan(1);
    const pages = (await walk(sweep, following)).map(recordsIn);
    // Those by `before` begin at the end.
    const found = sweep.operation === 'listMessages' ? pages.toReversed().flat() : pages.flat();
    expect(found).toEqual(whole);
    expect(pages.filter((page) => page.length > 1)).toEqual([]);
  });

  it.each(walked.filter(bothWays))('are the same on the way back: $name', async (sweep) => {
    const pages = await walk(sweep, following);
    const last = pages.at(-1) as Page;
    expect(infoOf(last)).toMatchObject({ next_cursor: null, has_more_after: false, has_more_before: true });
    const back = await walk(sweep, preceding, preceding(last));
    expect(back.toReversed().map(recordsIn)).toEqual(pages.slice(0, -1).map(recordsIn));
    expect(infoOf(back.at(-1) as Page)).toMatchObject({ prev_cursor: null, has_more_before: false });
  });

  it.each(walked.filter(({ query }) => 'page' in query))(
    'are empty behind the last: $name',
    async (sweep) => {
      const page = await pageOf(sweep, 'page=1000');
      expect([page.page, recordsIn(page)]).toEqual([1000, []]);
    },
  );

  it.each(withCursors)('begin at cursors of the same list alone: $name', async (sweep) => {
    const other = forOne.find(({ operation }) =>
      sweep.definition.name === 'listTasks' ? operation === 'listThreads' : operation === 'listTasks',
    ) as Sweep;
    const { next_cursor } = infoOf(await pageOf(other, 'limit=1'));
    for (const cursor of ['x', next_cursor]) {
      const response = await get(sweep, `next_cursor=${cursor}`);
      expect([response.status, response.json.error?.code]).toEqual([400, 'invalid_cursor']);
    }
    const back = await get(sweep, 'prev_cursor=x', ...(bothWays(sweep) ? ['next_cursor=x'] : []));
    const code = bothWays(sweep) ? 'invalid_request' : 'unsupported_cursor_direction';
    expect([back.status, back.json.error?.code]).toEqual([400, code]);
  });
});
