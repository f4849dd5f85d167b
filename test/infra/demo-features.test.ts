import { describe, expect, it } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { type DemoFeature, demoFeatures, notShown } from '../../infra/local/demo/features.ts';
import { lists } from '../support/demo-lists.ts';

/** The demo shows every list of the catalogue: demo-features.long.test.ts looks whether it does. */

/** What a list has to show: `listShares of thread`, `listThreads slice=inbox`. */
const wanted = lists.flatMap(({ operation, of, slices }) => [
  of ? `${operation} of ${of}` : operation,
  ...Object.entries(slices).flatMap(([name, values]) =>
    values.map((value) => `${operation} ${name}=${value}`),
  ),
]);

function shownBy({ operation, of, query }: DemoFeature): string[] {
  const [type] = Object.keys(of ?? {});
  const slices = Object.entries(query ?? {}).map(([name, value]) => `${operation} ${name}=${value}`);
  return [type ? `${operation} of ${type}` : operation, ...slices];
}

describe('the features of the demo', () => {
  const shown = demoFeatures.flatMap(shownBy);

  it('include every list of the catalogue, with its slices', () => {
    expect(wanted.length).toBeGreaterThan(50);
    const missing = wanted.filter((each) => !shown.includes(each) && !(each in notShown));
    expect(missing, 'add records to infra/local/demo and their lines to features.ts').toEqual([]);
  });

  it('have no exceptions that are shown, or that no list has', () => {
    expect(Object.keys(notShown).filter((each) => shown.includes(each) || !wanted.includes(each))).toEqual(
      [],
    );
  });

  it('name operations of the catalogue, each feature once', () => {
    const names = operations.map(({ name }) => name);
    expect(demoFeatures.filter(({ operation }) => !names.includes(operation))).toEqual([]);
    const titles = demoFeatures.map(({ feature }) => feature);
    expect(new Set(titles).size).toBe(titles.length);
  });
});
