import type { Services } from '#shared/services.ts';
import type { FamilyFindings, Line, ListFindings } from '../lines.ts';
import { type Extent, report } from '../numbers.ts';
import { inService, MINUTE, type Place as Served, say } from '../service.ts';
import { type Measured, repeat, sample } from '../threads/measure.ts';
import {
  countCases,
  deepCase,
  depths,
  hardCases,
  type Place,
  pageCases,
  placeOf,
  type RecordCase,
} from './cases.ts';
import { families } from './families.ts';
import { missed, page, type RecordFindings, tables } from './page.ts';
import { givenRecords } from './world.ts';

/** Everything that is measured, at every size. */

const RUNS = 20;
/** Of what may take seconds. */
const FEW = 5;

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
  const deep: RecordCase[] = [];
  for (const depth of depths.filter((each) => each < place.world.rows)) {
    deep.push(await deepCase(place, depth, () => next('walking')));
  }
  const contacts = {
    pages: await measure(pageCases, RUNS),
    hard: await measure(hardCases, FEW),
    depths: await measure(deep, RUNS),
    counts: await measure(countCases, FEW),
  };
  const others = [];
  for (const { pages, hard } of families)
    others.push({ pages: await measure(pages, RUNS), hard: await measure(hard, FEW) });
  return { contacts, others };
}

type AtSize = Awaited<ReturnType<typeof measurePlace>>;

const namesOf = (cases: RecordCase[]) => cases.map(({ name }) => name);

/** A line for each name that was measured at some size. */
const linesOf = (names: string[], sizes: Measured[][]): Line[] =>
  names
    .map((name, i) => ({ name, sizes: sizes.flatMap((size) => size[i] ?? []) }))
    .filter((line) => line.sizes.length > 0);

function gather(measured: AtSize[]): Pick<ListFindings, keyof AtSize['contacts']> {
  const lines = (part: keyof AtSize['contacts'], names: string[]) =>
    linesOf(
      names,
      measured.map(({ contacts }) => contacts[part]),
    );
  return {
    pages: lines('pages', namesOf(pageCases)),
    hard: lines('hard', namesOf(hardCases)),
    depths: lines(
      'depths',
      depths.map((depth) => `after ${depth.toLocaleString('en')} contacts`),
    ),
    counts: lines('counts', namesOf(countCases)),
  };
}

const gatherOthers = (rows: number[], measured: AtSize[]): FamilyFindings[] =>
  families.map(({ name, share, pages, hard }, i) => {
    const lines = (part: 'pages' | 'hard', cases: RecordCase[]) =>
      linesOf(
        namesOf(cases),
        measured.map(({ others }) => others[i]?.[part] ?? []),
      );
    return {
      name,
      rows: rows.map((count) => Math.round(count * share)),
      pages: lines('pages', pages),
      hard: lines('hard', hard),
    };
  });

/** Contacts first, which others may lead to. */
async function fill(services: Services, { url, filling }: Served, count: number) {
  const progress = (done: number) => say(`${done} of ${count} contacts written`);
  const world = await givenRecords(filling, { rows: count, now: services.clock(), progress });
  const place = placeOf(url, world);
  let { items } = world;
  for (const family of families) {
    say(`${family.name} of ${count} contacts`);
    items += await family.given(filling, place);
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
      ...gather(measured),
      families: gatherOthers(rows, measured),
    };
    const over = missed(findings).map((each) => `over budget: ${each}`);
    const printed = [tables(findings), ...over].join('\n');
    await report(extent, { file: 'records.md', page: page(findings), printed });
  });
}
