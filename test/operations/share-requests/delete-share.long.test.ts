import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failCall } from '../../support/faults.ts';
import { SHORT_STRIDE } from '../../support/long.ts';
import { countOf, givenMail, onMailbox, type onThread, subjectsOf } from '../../support/shares.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('DELETE /{record_type}/{record_id}/shares/{id}', () => {
  let workspace: Workspace;
  let mailbox: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ mailbox } = await givenMail(workspace, workspace.ada, ['Winch', 'Berth']));
  });
  afterAll(() => workspace?.stop());

  const shareWithGrace = async (params: ReturnType<typeof onThread> | ReturnType<typeof onMailbox>) => {
    const { ada, grace } = workspace;
    const { body } = await ada.api.createShare({ params, body: { share: { user_id: grace.user.id } } });
    return { ...params, id: body.share.id };
  };

  it('shows nothing hidden, whichever call fails, and a retry completes it', async () => {
    const { ada, grace, table } = workspace;
    let call = 1;
    for (let hit = true; hit; call += SHORT_STRIDE)
      for (const when of ['before', 'after'] as const) {
        const params = await shareWithGrace(onMailbox(mailbox));
        const fault = failCall(table, call, when);
        const response = await ada.api.deleteShare({ params }).catch((error: { code: string }) => error);
        fault.remove();
        hit = fault.hit;
        const gone = (await ada.reader.listShares({ params: onMailbox(mailbox) })).body.shares.length === 0;
        expect(await subjectsOf(grace)).toEqual(gone ? [] : ['Berth', 'Winch']);
        expect(await countOf(grace)).toBe(gone ? 0 : 2);
        if ('status' in response && response.status === 204) expect(gone).toBe(true);
        if (!gone) await ada.api.deleteShare({ params });
        expect(await subjectsOf(grace)).toEqual([]);
      }
    expect(call).toBeGreaterThan(5);
  });
});
