import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { STRIDE } from '../support/long.ts';
import { bestOfFive, type MeteredGateway, startMeteredGateway } from '../support/meter.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';
import { MAX_DEPTH } from './lines.ts';
import { cursorAfter } from './records/asking.ts';
import type { Place, Query } from './records/cases.ts';
import { type Family, families, pagesOf } from './records/families.ts';
import { fill } from './records/suite.ts';
import { sample } from './threads/measure.ts';

/** Budgets for first pages of records, with one filter in every order: round trips after authentication. */

const ROWS = 300;

const cases = families
  .flatMap((family) =>
    pagesOf(family, family.pages).map(({ name, ask }) => {
      return { title: `${family.name}: ${name}`, ask };
    }),
  )
  // A third of them in CI, which are not those of one order.
  .filter((_, i) => i % Math.min(STRIDE, 3) === 0);

describe('first pages of records', () => {
  let workspace: Workspace;
  let gateway: MeteredGateway;
  let place: Place;
  let minutes = 0;

  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    gateway = await startMeteredGateway(workspace.ctx, operations);
    const now = new Date('2060-01-01T10:30:00Z');
    workspace.setTime(now);
    ({ place } = await fill({ clock: () => now }, { url: gateway.url, filling: workspace.table }, ROWS));
  }, 240_000);
  afterAll(async () => {
    workspace.setTime(undefined);
    await gateway.stop();
    await workspace.stop();
  });

  it.each(cases)('$title: at most three round trips', bestOfFive, async ({ ask }) => {
    // Each has a minute of its own, within the rate limits.
    workspace.setTime(new Date(place.world.now + ++minutes * 60_000));
    // The first request of a process knows nothing of the account.
    await ask(place);
    const { cost } = await sample(workspace.table, true, () => ask(place));
    expect(cost.depth).toBeLessThanOrEqual(MAX_DEPTH);
  });

  it.each(['contacts', 'tasks', 'files'])(
    'a third page of %s costs what the first one does',
    async (name) => {
      const family = families.find((each) => each.name === name) as Family;
      const { list } = family;
      const costAt = async (cursor: Query) => {
        workspace.setTime(new Date(place.world.now + ++minutes * 60_000));
        const ask = async () => (await list(place, cursor)).body.collection.records.length;
        return sample(workspace.table, true, ask);
      };
      const third = await cursorAfter(list, place, { depth: 100, pause: () => undefined });
      expect(third).toHaveProperty('next_cursor');
      const [page, later] = [await costAt({}), await costAt(third)];
      expect(later.rows).toBe(page.rows);
      expect(later.cost.depth).toBeLessThanOrEqual(page.cost.depth);
      expect(later.cost.read_units).toBeLessThanOrEqual(1.2 * page.cost.read_units);
    },
  );
});
