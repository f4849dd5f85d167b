import type { Services } from '#shared/services.ts';
import type { Line } from '../lines.ts';
import { type Extent, report } from '../numbers.ts';
import { inService, MINUTE, say } from '../service.ts';
import { type Measured, repeat, sample } from '../threads/measure.ts';
import { dashboardCases, deepSearchCases, searchCases, timelineCases, type ViewCase } from './cases.ts';
import { missed, page, tables, type ViewFindings } from './page.ts';
import { givenViews, type ViewWorld } from './world.ts';

/** Everything that is measured, at every size. */

const RUNS = 20;

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
  let minutes = 0;
  for (const one of groupNames.flatMap((group) => groups[group])) {
    // Each has a minute of its own, within the rate limits.
    const time = world.world.now + ++minutes * MINUTE;
    services.clock = () => new Date(time);
    say(`${world.world.rows} records: ${one.name}`);
    measured.set(one, await repeat(runs, () => sample(services.table, true, () => one.ask(world))));
  }
  return measured;
}

export function measureViews(rows: number[], extent: Extent): Promise<void> {
  return inService('views', async (services, { url, filling, filled }) => {
    const runs = extent.small ? 1 : RUNS;
    const seeded: ViewFindings['seeded'] = [];
    const measured: Map<ViewCase, Measured>[] = [];
    for (const count of rows) {
      const start = performance.now();
      const world = await givenViews(filling, url, count, services.clock());
      await filled();
      seeded.push({ seconds: (performance.now() - start) / 1_000, items: world.items });
      measured.push(await measureWorld(services, world, runs));
    }
    say('');
    const linesOf = (group: Group): Line[] =>
      groups[group].map((one) => ({
        name: one.name,
        sizes: measured.flatMap((size) => size.get(one) ?? []),
      }));
    const findings: ViewFindings = {
      ...{ rows, seeded, runs },
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
