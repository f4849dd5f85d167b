import type { Services } from '#shared/services.ts';
import type { Line } from '../lines.ts';
import { type Extent, report } from '../numbers.ts';
import { inService, MINUTE, say } from '../service.ts';
import { type Measured, repeat, sample, summarize } from '../threads/measure.ts';
import {
  dashboardCases,
  deepSearchCases,
  drawnCases,
  searchCases,
  timelineCases,
  type ViewCase,
} from './cases.ts';
import { missed, page, tables, type ViewFindings } from './page.ts';
import { givenViews, type ViewWorld } from './world.ts';

/** Everything that is measured, at every size. */

const RUNS = 20;
/** Pairs of words that are drawn, each asked once, at the largest size. */
const DRAWN = 200;

const groups = {
  searches: searchCases,
  deep: deepSearchCases,
  timelines: timelineCases,
  dashboard: dashboardCases,
};

type Group = keyof typeof groups;
const groupNames = Object.keys(groups) as Group[];

async function measureWorld(
  services: Services,
  world: ViewWorld,
  runs: number,
): Promise<Map<ViewCase, Measured>> {
  const measured = new Map<ViewCase, Measured>();
  for (const one of groupNames.flatMap((group) => groups[group])) {
    nextMinute(services, world);
    say(`${world.world.rows} records: ${one.name}`);
    measured.set(one, await repeat(runs, () => sample(services.table, true, () => one.ask(world))));
  }
  return measured;
}

let minutes = 0;

/** Each case has a minute of its own, within the rate limits. */
function nextMinute(services: Services, { world }: ViewWorld): void {
  const time = world.now + ++minutes * MINUTE;
  services.clock = () => new Date(time);
}

async function measureDrawn(services: Services, world: ViewWorld, count: number): Promise<Line[]> {
  say(`${world.world.rows} records: pairs of words that are drawn`);
  const lines: Line[] = [];
  for (const one of drawnCases(count)) {
    nextMinute(services, world);
    // A round trip that came late on a busy machine is not one more.
    const samples = [];
    for (let run = 0; run < 2; run++) samples.push(await sample(services.table, true, () => one.ask(world)));
    const best = samples.reduce((a, b) => (b.cost.depth < a.cost.depth ? b : a));
    lines.push({ name: one.name, sizes: [summarize([best])] });
  }
  return lines;
}

export function measureViews(rows: number[], extent: Extent): Promise<void> {
  return inService('views', async (services, { url, filling, filled }) => {
    const runs = extent.small ? 1 : RUNS;
    const seeded: ViewFindings['seeded'] = [];
    const measured: Map<ViewCase, Measured>[] = [];
    let drawn: Line[] = [];
    for (const count of rows) {
      const start = performance.now();
      const world = await givenViews(filling, url, count, services.clock());
      await filled();
      seeded.push({ seconds: (performance.now() - start) / 1_000, items: world.items });
      measured.push(await measureWorld(services, world, runs));
      if (count === rows.at(-1)) drawn = await measureDrawn(services, world, extent.small ? 5 : DRAWN);
    }
    say('');
    const linesOf = (group: Group): Line[] =>
      groups[group].map((one) => ({
        name: one.name,
        sizes: measured.flatMap((size) => size.get(one) ?? []),
      }));
    const findings: ViewFindings = {
      ...{ rows, seeded, runs, drawn },
      searches: linesOf('searches'),
      deep: linesOf('deep'),
      timelines: linesOf('timelines'),
      dashboard: linesOf('dashboard'),
    };
    const over = missed(findings).map((each) => `over budget: ${each}`);
    const printed = [tables(findings), ...over].join('\n');
    await report(extent, { file: 'views.md', page: page(findings), printed });
  });
}
