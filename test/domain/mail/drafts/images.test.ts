import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDraft, draftsOf, messagesBySnippet } from '../../../support/drafts.ts';
import { eml, importMail } from '../../../support/mail.ts';
import { runSending, type SendingServers, startSending } from '../../../support/sending-mail.ts';
import type { TestUser, Workspace } from '../../../support/workspace.ts';

/** A draft may quote mail whose images tell their host who reads it (docs/decisions/0021). */
describe('external images in drafts', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let servers: SendingServers;
  let mailbox_id: string;
  beforeAll(async () => {
    ({ workspace, ada, servers, mailbox_id } = await startSending());
    const headers = ['Content-Type: text/html; charset=utf-8'];
    const text = '<p>Counted <img src="https://x.example/counted.gif?a=1&amp;b=2" alt="Pixel"></p>';
    await importMail(workspace, ada, mailbox_id, [eml({ id: 'counted@x', subject: 'Seen', headers, text })]);
  });
  afterAll(async () => {
    await servers.stop();
    await workspace.stop();
  });

  const DIRECT = ' src="https://x.example/counted.gif?a=1&amp;b=2"';
  const BLOCKED = DIRECT.replace('src', 'data-blocked-src');
  const given = async () => {
    const in_reply_to_message_id = (await messagesBySnippet(ada)).get('Counted')?.id;
    const to_email_addresses = ['bo@x.example'];
    return createDraft(ada, { in_reply_to_message_id, kind: 'forward', body: 'Look.', to_email_addresses });
  };
  const shown = async (id: string, query: object = {}) =>
    (await ada.reader.retrieveDraft({ params: { id }, query })).body.draft.body_html;

  it('are blocked wherever a draft is shown, unless they are asked for', async () => {
    const { id, body_html } = await given();
    expect(body_html).toContain(BLOCKED);
    expect(await shown(id)).toContain(BLOCKED);
    expect(await shown(id, { images: 'direct' })).toContain(DIRECT);
    const listed = async (query: object) =>
      (await draftsOf(ada, query)).find((draft) => draft.id === id)?.body_html;
    expect(await listed({})).toContain(BLOCKED);
    expect(await listed({ images: 'direct' })).toContain(DIRECT);
  });

  it('are sent, also after what was shown was changed', async () => {
    const { id, body_html } = await given();
    const draft = { body_html: `<p>Look at this.</p>${body_html}` };
    expect((await ada.api.updateDraft({ params: { id }, body: { draft } })).body.draft.body_html).toContain(
      BLOCKED,
    );
    expect(await shown(id, { images: 'direct' })).toContain(DIRECT);
    await ada.api.sendDraft({ params: { draft_id: id }, body: {} });
    await runSending(workspace);
    const raw = (servers.taken.at(-1)?.raw ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(raw).toContain(DIRECT);
    expect(raw).not.toContain('data-blocked-src');
  });
});
