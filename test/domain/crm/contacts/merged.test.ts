import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeInto } from '../../../support/duplicates.ts';
import { givenContact } from '../../../support/proposals.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('the name of a merged contact', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  let made = 0;
  const address = () => ({ email_addresses: [{ email_address: `named-${++made}@x.example` }] });
  const unnamed = () => ({ name: null, ...address() });
  type Draft = () => object;

  it.each<[title: string, into: Draft, from: Draft, fields: Record<string, 'this' | 'other'>, name: string]>([
    ['one that was given stays', () => ({ name: 'Ada' }), () => ({ name: 'Augusta' }), {}, 'Ada'],
    [
      'a computed one follows its sources',
      () => ({ name: null, first_name: 'Ada' }),
      () => ({ name: 'Ms Byron', last_name: 'Byron' }),
      {},
      'Ada Byron',
    ],
    [
      'a computed one follows chosen sources',
      () => ({ name: null, first_name: 'Ada', last_name: 'King' }),
      () => ({ name: 'Ms Byron', last_name: 'Byron' }),
      { last_name: 'other' },
      'Ada Byron',
    ],
    [
      'a computed one stays when its sources go',
      () => ({ name: null, first_name: 'Ada' }),
      () => ({ name: 'Ms Byron' }),
      { first_name: 'other' },
      'Ada',
    ],
    ['an address gives way to a name', unnamed, () => ({ name: 'Ada' }), {}, 'Ada'],
    [
      'an address gives way to first and last name',
      unnamed,
      () => ({ name: null, first_name: 'Ada', last_name: 'Byron' }),
      {},
      'Ada Byron',
    ],
    [
      'the other one is chosen',
      () => ({ name: 'Ada' }),
      () => ({ name: 'Augusta' }),
      { name: 'other' },
      'Augusta',
    ],
  ])('%s', async (_, into, from, fields, name) => {
    const [one, other] = [
      await givenContact(workspace.ada, into()),
      await givenContact(workspace.ada, from()),
    ];
    const merged = await mergeInto(workspace.ada, one.id, other.id, { fields });
    expect(merged.name).toBe(name);
  });

  it('of two that only addresses name, the own address stays', async () => {
    const [one, other] = [
      await givenContact(workspace.ada, unnamed()),
      await givenContact(workspace.ada, unnamed()),
    ];
    expect((await mergeInto(workspace.ada, one.id, other.id)).name).toBe(one.name);
  });
});
