import type { DemoUserKey } from './people.ts';
import type { Workspace } from './workspace.ts';

/** A request for access to a thread of a colleague, whose mailbox tells of its threads; without an answer it is pending. */
export interface DemoShareRequest {
  by: DemoUserKey;
  of: DemoUserKey;
  thread_subject: string;
  message: string | null;
  denied?: true;
}

export async function askForAccess(
  workspace: Workspace,
  requests: readonly DemoShareRequest[],
): Promise<void> {
  for (const { by, of, thread_subject, message, denied } of requests) {
    const { api, mailbox_id } = workspace.user(of);
    await api.updateMailbox({
      params: { id: mailbox_id as string },
      body: { mailbox: { share_metadata: true } },
    });
    const record_id = await workspace.thread(of, thread_subject);
    const { share_request } = (
      await workspace.api(by).createShareRequest({
        body: { share_request: { record_type: 'thread', record_id, message } },
      })
    ).body;
    if (denied) await api.denyShareRequest({ params: { share_request_id: share_request.id } });
  }
}
