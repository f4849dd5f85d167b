import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { taggable } from '#shared/composition/tagging.ts';
import { acceptProposal } from '#shared/domain/assistant/proposals/accept.ts';
import type { Action, Actions } from '#shared/domain/assistant/proposals/actions/action.ts';
import { tagActions } from '#shared/domain/assistant/proposals/actions/tag-actions.ts';
import { actionTypes } from '#shared/domain/assistant/proposals/proposal.ts';
import { draftProposal } from '#shared/domain/assistant/proposals/propose.ts';
import { undoProposal } from '#shared/domain/assistant/proposals/undo.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { callerOf } from '../../../support/callers.ts';
import { allPorts } from '../../../support/ports.ts';
import { changes, creations } from '../../../support/proposed-records.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Actions are those that families registered, and no others. */

let workspace: Workspace;
let caller: Caller;
beforeAll(async () => {
  workspace = await startWorkspace();
  caller = await callerOf(workspace.table, workspace.ada.user);
});
afterAll(() => workspace.stop());

const withActions = (actions: Actions) => ({
  ...workspace.ctx,
  ports: { ...allPorts, actions },
});
const draftOf = (action_type: string, params: object) => ({
  ...{ action_type, params, rationale: null, agent_slug: null, source: null },
});
const now = () => new Date();

/** An action that only this test has. */
const dealCreate: Action<{ name: string }> = {
  params: z.object({ name: z.string() }),
  params_hint: '{name}',
  prepare: async (_, { name }) => {
    const id = newId(now());
    const change = { field: 'name', label: 'Name', before: null, after: name };
    return {
      record: null,
      base_updated_at: null,
      tag_id: null,
      display: { title: `Create the deal ${name}`, summary: null, changes: [change] },
      apply: async () => ({
        writes: [{ put: { ...keys.record('deals', id), name } }],
        jobs: [],
        applied: { type: 'deal', id },
        undo: {},
      }),
    };
  },
  undo: async (_, { applied_record_id }) => ({
    writes: [{ delete: keys.record('deals', applied_record_id ?? '') }],
    jobs: [],
  }),
};

it('an action that is registered is proposed, accepted and undone', async () => {
  const ctx = withActions({ 'deal.create': dealCreate as Action });
  const { proposal, writes } = await draftProposal(
    { ...ctx, caller, now: now() },
    draftOf('deal.create', { name: 'Ferries' }),
  );
  await ctx.table.transact(writes);
  const { applied_record_id } = await acceptProposal({ ...ctx, caller, now: now() }, proposal.id, undefined);
  const key = keys.record('deals', applied_record_id as string);
  expect(await ctx.table.get(key)).toMatchObject({ name: 'Ferries' });
  expect((await undoProposal({ ...ctx, caller, now: now() }, proposal.id)).status).toBe('undone');
  expect(await ctx.table.get(key)).toBeUndefined();
});

it('a tag is proposed for records of registered types only', async () => {
  const target = { record_id: newId(now()), tag_id: newId(now()) };
  for (const action_type of ['tag.apply', 'tag.remove']) {
    const propose = (types: Parameters<typeof tagActions>[0], record_type: string) =>
      draftProposal(
        { ...withActions(tagActions(types)), caller, now: now() },
        draftOf(action_type, { ...target, record_type }),
      );
    const others = taggable.filter((type) => type !== 'files');
    await expect(propose(others, 'file')).rejects.toMatchObject({
      code: 'invalid_request',
      fields: { 'params.record_type': { code: 'invalid' } },
    });
    await expect(propose(taggable, 'file')).rejects.toMatchObject({ code: 'record_not_found' });
  }
});

it('an action that is not registered cannot be proposed', async () => {
  const draft = draftOf('contact.create', { name: 'Priya' });
  const proposing = draftProposal({ ...withActions(tagActions(taggable)), caller, now: now() }, draft);
  await expect(proposing).rejects.toMatchObject({
    code: 'invalid_request',
    fields: { action_type: { code: 'invalid' } },
  });
});

it('exist for every type that a proposal can have, and each has a test by its name', () => {
  const tested = [
    ...Object.keys(creations),
    ...Object.keys(changes),
    // record-actions.test.ts, draft-actions.test.ts, event-actions.test.ts, propose.test.ts
    ...['contact.merge', 'draft.create', 'calendar_event.create', 'tag.apply', 'tag.remove'],
  ];
  expect(Object.keys(allPorts.actions).sort()).toEqual(tested.sort());
  expect(actionTypes.toSorted()).toEqual(tested.sort());
});
