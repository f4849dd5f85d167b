import type { Services } from '#shared/services.ts';
import { benchAccount } from '../account.ts';
import type { FamilyFindings, Line, ListFindings } from '../lines.ts';
import { type Extent, report } from '../numbers.ts';
import { inService, MINUTE, type Place as Served, say } from '../service.ts';
import { type Measured, repeat, sample } from '../threads/measure.ts';
import { givenAround } from './around.ts';
import { cursorAfter } from './asking.ts';
import { type Place, placeOf, type RecordCase } from './cases.ts';
import { countsOf, type Family, families, givenFamily, pagesOf } from './families.ts';
import { missed, page, type RecordFindings, tables } from './page.ts';
import { givenRecords } from './world.ts';

/** Everything that is measured, at every size. */

const RUNS = 20;
/** Of what may take seconds. */
const FEW = 5;

const rowsOf = ({ share }: Family, contacts: number) => Math.round(contacts * share);

const depthName = (depth: number) => `after ${depth.toLocaleString('en')}`;

/** Walks there by cursors, outside of what is measured; `pause` before the rate limit is reached. */
async function deepCases(family: Family, place: Place, pause: () => void): Promise<RecordCase[]> {
  const cases: RecordCase[] = [];
  for (const depth of family.depths.filter((each) => each < rowsOf(family, place.world.rows))) {
    const cursor = await cursorAfter(family.list, place, { depth, pause });
    cases.push(...pagesOf(family, [[depthName(depth), () => cursor]]));
  }
  return cases;
}

type Part = 'pages' | 'hard' | 'depths' | 'counts';

async function measurePlace(services: Services, place: Place, small: boolean) {
  let minutes = 0;
  // Everything has minutes of its own, within the rate limits.
  const next = (name: string) => {
    const time = place.world.now + ++minutes * MINUTE;
    services.clock = () => new Date(time);
    say(`${place.world.rows} contacts: ${name}`);
  };
  const measure = async (cases: RecordCase[], runs: number): Promise<Measured[]> => {
    const found: Measured[] = [];
    for (const { name, ask } of cases) {
      next(name);
      found.push(await repeat(small ? 1 : runs, () => sample(services.table, true, () => ask(place))));
    }
    return found;
  };
  const all: Record<Part, Measured[]>[] = [];
  for (const family of families)
    all.push({
      pages: await measure(pagesOf(family, family.pages), RUNS),
      hard: await measure(pagesOf(family, family.hard), FEW),
      depths: await measure(await deepCases(family, place, () => next('walking')), RUNS),
      counts: await measure(countsOf(family), FEW),
    });
  return all;
}

type AtSize = Awaited<ReturnType<typeof measurePlace>>;

/** A line for each name that was measured at some size. */
const linesOf = (names: string[], sizes: Measured[][]): Line[] =>
  names
    .map((name, i) => ({ name, sizes: sizes.flatMap((size) => size[i] ?? []) }))
    .filter((line) => line.sizes.length > 0);

const namesOf = (asked: readonly (readonly [string, unknown])[]) => asked.map(([name]) => name);

const gather = (rows: number[], measured: AtSize[]): FamilyFindings[] =>
  families.map((family, i) => {
    const lines = (part: Part, names: string[]) =>
      linesOf(
        names,
        measured.map((size) => size[i]?.[part] ?? []),
      );
    return {
      name: family.name,
      rows: rows.map((count) => rowsOf(family, count)),
      pages: lines('pages', namesOf(family.pages)),
      hard: lines('hard', namesOf(family.hard)),
      depths: lines('depths', family.depths.map(depthName)),
      counts: lines('counts', namesOf(family.counts ?? [])),
    };
  });

/** Contacts first, which others lead to. */
export async function fill(
  services: Pick<Services, 'clock'>,
  { url, filling }: Pick<Served, 'url' | 'filling'>,
  count: number,
) {
  const now = services.clock();
  const progress = (done: number) => say(`${done} of ${count} contacts written`);
  const of = await benchAccount(filling, now);
  const [{ user, write_key: key }] = of.users as [(typeof of.users)[number]];
  const employers = Math.ceil(count * 0.1);
  const around = await givenAround(filling, { url, key, user, now, employers });
  const world = await givenRecords(filling, { rows: count, now, progress, of, around });
  const place = placeOf(url, world);
  const space = { name: 'Tagged', kind: 'tags' as const, tag_ids: [world.tags.hundredth] };
  place.tag_space_id = (await place.api.createSpace({ body: { space } })).body.space.id;
  let { items } = world;
  for (const family of families) {
    say(`${family.name} of ${count} contacts`);
    items += await givenFamily(filling, place, family);
  }
  return { place, items };
}

export function measureRecords(rows: number[], extent: Extent): Promise<void> {
  return inService('records', async (services, served) => {
    const seeded: ListFindings['seeded'] = [];
    const measured: AtSize[] = [];
    for (const count of rows) {
      const start = performance.now();
      const { place, items } = await fill(services, served, count);
      await served.filled();
      seeded.push({ seconds: (performance.now() - start) / 1_000, items });
      measured.push(await measurePlace(services, place, extent.small));
    }
    say('');
    const findings: RecordFindings = {
      ...{ rows, seeded, runs: extent.small ? 1 : RUNS },
      families: gather(rows, measured),
    };
    const over = missed(findings).map((each) => `over budget: ${each}`);
    const printed = [tables(findings), ...over].join('\n');
    await report(extent, { file: 'records.md', page: page(findings), printed });
  });
}
