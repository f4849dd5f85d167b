import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProposalStatus } from '#shared/domain/assistant/proposals/proposal.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { allEvents, givenCalendar } from '../../../support/events.ts';
import { failCall } from '../../../support/faults.ts';
import { STRIDE } from '../../../support/long.ts';
import {
  accept,
  givenProposal,
  givenTagging,
  givenUpdate,
  readContact,
  readProposal,
  tagNames,
  undo,
} from '../../../support/proposals.ts';
import { changes, creations } from '../../../support/proposed-records.ts';
import { expectConsistent } from '../../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Each call to the table fails in turn: the change and the proposal's status are written together or not at all. */

/** The call that answers, and the change as it looks under each status. */
interface Scene {
  id: string;
  act(): Promise<unknown>;
  look(): Promise<unknown>;
  expected: Partial<Record<ProposalStatus, unknown>>;
}

describe.each(['before', 'after'] as const)('whichever call to the table fails %s it is executed', (when) => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  beforeEach(async () => {
    // A key has a limit of requests in a minute.
    ada = (await givenAccount(workspace, 1))[0] as TestUser;
  });
  afterAll(() => workspace.stop());

  let made = 0;

  const scenes: Record<string, () => Promise<Scene>> = {
    async acceptUpdate() {
      const { contact, proposal } = await givenUpdate(workspace, ada);
      return {
        id: proposal.id,
        act: () => accept(ada, proposal.id),
        look: async () => (await readContact(ada, contact.id)).headline,
        expected: { pending: 'Clerk', applied: 'Analyst' },
      };
    },

    async acceptNewTag() {
      made += 1;
      const name = `Made ${when} ${made}`;
      const { contact, proposal } = await givenTagging(workspace, ada, name);
      return {
        id: proposal.id,
        act: () => accept(ada, proposal.id),
        look: async () => tagNames(await readContact(ada, contact.id)),
        expected: { pending: [], applied: [name] },
      };
    },

    async acceptCreate() {
      made += 1;
      const [name, address] = [`New ${when} ${made}`, `${when}-${made}@faults.example`];
      const params = { name, email_addresses: [{ email_address: address }] };
      const { id } = await givenProposal(workspace, ada, { action_type: 'contact.create', params });
      return {
        id,
        act: () => accept(ada, id),
        look: async () => {
          const { applied_record_id } = await readProposal(ada, id);
          return applied_record_id && (await readContact(ada, applied_record_id)).name;
        },
        expected: { pending: null, applied: name },
      };
    },

    async acceptEvent() {
      const { calendar_id } = await givenCalendar(workspace, ada);
      const times = { starts_at: '2027-03-01T09:00:00Z', ends_at: '2027-03-01T10:00:00Z' };
      const params = { calendar_id, name: 'Ferries', ...times };
      const { id } = await givenProposal(workspace, ada, { action_type: 'calendar_event.create', params });
      return {
        id,
        act: () => accept(ada, id),
        look: async () => (await allEvents(ada, { calendar_id, starts_after: '2027-01-01' })).length,
        expected: { pending: 0, applied: 1 },
      };
    },

    async undoEvent() {
      const scene = await (scenes.acceptEvent as () => Promise<Scene>)();
      await scene.act();
      return { ...scene, act: () => undo(ada, scene.id), expected: { applied: 1, undone: 0 } };
    },

    async undoUpdate() {
      const { contact, proposal } = await givenUpdate(workspace, ada);
      await accept(ada, proposal.id);
      return {
        id: proposal.id,
        act: () => undo(ada, proposal.id),
        look: async () => (await readContact(ada, contact.id)).headline,
        expected: { applied: 'Analyst', undone: 'Clerk' },
      };
    },
  };

  const creating = (action_type: string) => async (): Promise<Scene> => {
    const { params, read } = creations[action_type] as (typeof creations)[string];
    made += 1;
    const external_id = `${when} ${made}`;
    const { id } = await givenProposal(workspace, ada, {
      action_type,
      params: { ...params, external_id },
    });
    return {
      id,
      act: () => accept(ada, id),
      look: async () => {
        const { applied_record_id } = await readProposal(ada, id);
        return applied_record_id && (await read(ada, applied_record_id)).external_id;
      },
      expected: { pending: null, applied: external_id },
    };
  };

  const changing = (action_type: string, undone: boolean) => async (): Promise<Scene> => {
    const { given, params, read } = changes[action_type] as (typeof changes)[string];
    const record_id = (await given(ada)).id;
    const look = async () => (await read(ada, record_id)).updated_at === null;
    const sent = { record_id, ...(await params(ada)) };
    const { id } = await givenProposal(workspace, ada, { action_type, params: sent });
    if (!undone) return { id, act: () => accept(ada, id), look, expected: { pending: true, applied: false } };
    await accept(ada, id);
    const before = (await read(ada, record_id)).updated_at;
    return {
      id,
      act: () => undo(ada, id),
      look: async () => (await read(ada, record_id)).updated_at === before,
      expected: { applied: true, undone: false },
    };
  };

  const all: [string, () => Promise<Scene>][] = [
    ...Object.entries(scenes),
    ...Object.keys(creations).map((type): [string, () => Promise<Scene>] => [type, creating(type)]),
    ...Object.keys(changes).flatMap((type): [string, () => Promise<Scene>][] => [
      [type, changing(type, false)],
      [`undoing ${type}`, changing(type, true)],
    ]),
  ];

  it.each(all)('%s', async (_, scene_of) => {
    let more = true;
    for (let call = 1; more; call += STRIDE) {
      const scene = await scene_of();
      const fault = failCall(workspace.table, call, when);
      const failed = await scene.act().then(
        () => false,
        (error) => error.code,
      );
      fault.remove();
      more = fault.hit;
      if (more) expect([false, 'error']).toContain(failed);
      const { status } = await readProposal(ada, scene.id);
      expect([status, await scene.look()]).toEqual([status, scene.expected[status]]);
      const done = Object.keys(scene.expected)[1];
      if (status !== done) await scene.act();
      expect((await readProposal(ada, scene.id)).status).toBe(done);
      expect(await scene.look()).toEqual(scene.expected[done as ProposalStatus]);
    }
    await expectConsistent(workspace.table, ada.user.account_id);
  });
});
