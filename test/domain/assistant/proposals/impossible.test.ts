import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptProposal } from '#shared/domain/assistant/proposals/accept.ts';
import type { Action } from '#shared/domain/assistant/proposals/actions/action.ts';
import { ApiError, type ErrorCode, errorCatalogue } from '#shared/errors.ts';
import { callerOf } from '../../../support/callers.ts';
import { givenUpdate, readContact, readProposal } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

describe('a proposal whose action fails', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());

  /** An action in place of the change of a contact, which is refused on execution. */
  async function acceptRefused(id: string, code: ErrorCode): Promise<unknown> {
    const { actions } = workspace.ctx.ports;
    const action = actions['contact.update'] as Action;
    const refused: Action = {
      ...action,
      prepare: async (...given) => ({
        ...(await action.prepare(...given)),
        apply: () => Promise.reject(new ApiError(code)),
      }),
    };
    const ports = { ...workspace.ctx.ports, actions: { ...actions, 'contact.update': refused } };
    const ctx = { ...workspace.ctx, caller: await callerOf(workspace.table, ada.user), ports };
    return acceptProposal(ctx, id, undefined);
  }

  it.each([
    ['share_is_inherited', 'failed', errorCatalogue.share_is_inherited.message],
    ['permission_denied', 'failed', expect.stringContaining('may not make this change')],
    ['external_id_taken', 'pending', null],
    ['storage_unavailable', 'pending', null],
  ] as const)('%s: it is %s', async (code, status, resolution_reason) => {
    const { contact, proposal } = await givenUpdate(workspace, ada);
    await expect(acceptRefused(proposal.id, code)).rejects.toMatchObject({ code });
    expect(await readProposal(ada, proposal.id)).toMatchObject({ status, resolution_reason });
    expect(await readContact(ada, contact.id)).toEqual(contact);
  });
});
