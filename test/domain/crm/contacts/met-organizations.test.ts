import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interactions } from '#shared/composition/interactions.ts';
import { findByEncounter, type Met } from '#shared/domain/collaboration/record-lists/by-encounter.ts';
import { metOrganizations } from '#shared/domain/crm/contacts/met.ts';
import { spacesAhead } from '#shared/domain/crm/details/spaces-ahead.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import { callerOf } from '../../../support/callers.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { givenOrganization } from '../../../support/organizations.ts';
import { givenContact } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Organizations in the order of the last mail with their people, when there are too many to be read whole. */

const NOW = new Date('2026-11-20T12:00:00Z');

/** The days of November on which people wrote. */
const organizations: Record<string, Record<string, number>> = {
  Alpha: { ann: 10, abe: 3 },
  Beta: { bea: 9 },
  Gamma: { gil: 8, gus: 7 },
  Delta: { dan: 1, dot: 6 },
  Silent: { sam: 0 },
};

describe('organizations by the last interaction with their people', () => {
  let workspace: Workspace;
  const addressOf = (name: string) => `${name}@met.example`;

  async function employed(user: TestUser, organization_id: string, name: string, more: object = {}) {
    await givenContact(user, {
      ...{ name, email_addresses: [{ email_address: addressOf(name) }], ...more },
      employments: [{ organization: { id: organization_id } }],
    });
  }

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { ada, grace } = workspace;
    for (const [name, people] of Object.entries(organizations)) {
      const { id } = await givenOrganization(ada, { name });
      for (const person of Object.keys(people)) await employed(ada, id, person);
    }
    const { id: secret } = await givenOrganization(ada, { name: 'Secret' });
    await employed(grace, secret, 'sue', { visibility: 'private' });
    // More addresses than are looked up.
    const { id: large } = await givenOrganization(ada, { name: 'Large' });
    for (const part of ['x', 'y', 'z']) {
      const email_addresses = Array.from({ length: 70 }, (_, i) => ({
        email_address: addressOf(`${part}${i}`),
      }));
      await employed(ada, large, `large ${part}`, { email_addresses });
    }
    const mailbox = await givenMailbox(workspace, ada);
    const written = { ...Object.assign({}, ...Object.values(organizations)), sue: 11, x7: 12, y1: 2 };
    const mails = Object.entries(written as Record<string, number>)
      .filter(([, day]) => day > 0)
      .map(([name, day]) =>
        eml({ id: `${name}@x`, from: addressOf(name), date: `${day} Nov 2026 10:00:00 +0000` }),
      );
    await importMail(workspace, ada, mailbox, mails);
  });
  afterAll(() => workspace.stop());

  async function listed(user: TestUser, order: 'asc' | 'desc', change: Partial<Met<Organization>>) {
    const caller = await callerOf(workspace.table, user.user);
    const ctx = { ...workspace.ctx, now: NOW, caller, ports: interactions };
    const found: string[] = [];
    let after: string | undefined;
    do {
      const { whole: _, ...met } = metOrganizations(ctx, spacesAhead(ctx));
      const asked = { index: organizationIndex, criteria: [], order, met: { ...met, ...change } };
      const page = await findByEncounter<Organization>(ctx, asked, { limit: 2, after });
      found.push(...page.rows.map(({ name }) => name));
      after = page.next ?? undefined;
    } while (after !== undefined);
    return found;
  }

  const steps: [string, Partial<Met<Organization>>][] = [
    ['read whole', { whole: 100 }],
    ['one after the other', { first: 1 }],
    ['in steps of three people', { first: 3 }],
    ['in one step', { first: 250 }],
  ];

  it.each(steps)('have the moment of the newest of them: %s', async (_, change) => {
    const met = ['Alpha', 'Beta', 'Gamma', 'Delta'];
    const others = ['Large', 'Secret', 'Silent'];
    expect(await listed(workspace.ada, 'desc', change)).toEqual([...met, ...others]);
    expect(await listed(workspace.ada, 'asc', change)).toEqual([...met.toReversed(), ...others.toReversed()]);
  });

  it('fail as a whole when the people of one cannot be read', async () => {
    const stack = workspace.table.client.middlewareStack;
    stack.add(
      (next) => async (args) => {
        if (JSON.stringify(args.input).includes('OWNER#organizations')) throw new Error('out of reach');
        return next(args);
      },
      { step: 'initialize', name: 'failing', override: true },
    );
    try {
      await expect(listed(workspace.ada, 'desc', { first: 250 })).rejects.toThrow('out of reach');
    } finally {
      stack.remove('failing');
    }
  });

  it.each(steps)('say nothing of mail that the reader does not see: %s', async (_, change) => {
    const newest = ['Large', 'Secret', ...Object.keys(organizations).toReversed()];
    expect(await listed(workspace.grace, 'desc', change)).toEqual(newest);
  });
});
