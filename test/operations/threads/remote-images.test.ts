import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredComment } from '#shared/domain/collaboration/comments/comment.ts';
import { keys } from '#shared/table/keys.ts';
import { givenComment, listed } from '../../support/comments.ts';
import { problemsOf } from '../../support/failures.ts';
import { loadingVectors } from '../../support/loading-vectors.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

const PIXEL = 'https://tracker.example/open?m=1';

const html = `<p>Hello</p><img src="${PIXEL}&amp;new" width="1" height="1"><img src="cid:logo@x">
${loadingVectors(PIXEL).join('\n')}
<div class="gmail_quote"><div class="gmail_attr">On Mon, 2 Nov 2026 at 10:00, Priya &lt;priya@ferries.example&gt; wrote:<br></div>
<blockquote class="gmail_quote">The winch squeaks.<img src="${PIXEL}&amp;quoted"></blockquote></div>`;

describe('images from elsewhere in a thread', () => {
  let workspace: Workspace;
  let id: string;
  type Images = 'blocked' | 'direct' | undefined;
  const retrieve = (images: Images) =>
    workspace.ada.reader.retrieveThread({
      params: { id },
      ...(images !== undefined && { query: { images } }),
    });
  const thread = async (images: Images) => (await retrieve(images)).body.thread;
  const bodyFor = async (images: Images) => (await thread(images)).messages?.[0]?.body;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const mailbox = await givenMailbox(workspace, workspace.ada);
    const headers = ['Content-Type: text/html; charset=utf-8'];
    await importMail(workspace, workspace.ada, mailbox, [eml({ id: 'pixel@x', headers, text: html })]);
    id = (await workspace.ada.reader.listThreads()).body.collection.records[0]?.id as string;
  });
  afterAll(() => workspace?.stop());

  it.each([undefined, 'blocked'] as const)(
    'images=%s: no image of a mail loads; its address is kept',
    async (images) => {
      const body = await bodyFor(images);
      for (const part of [body?.sanitized_html, body?.new_html, body?.quoted_html]) {
        expect(part).toContain(`data-blocked-src="${PIXEL}`);
        expect(part).not.toMatch(/ src="(?!cid:)/);
        expect(part).not.toMatch(/ (?:srcset|background|poster)=|url\(/);
      }
      expect(body?.sanitized_html).toContain('<img src="cid:logo@x" />');
      expect(body?.new_html).toContain(`data-blocked-src="${PIXEL}&amp;new"`);
      expect(body?.quoted_html).toContain(`data-blocked-src="${PIXEL}&amp;quoted"`);
    },
  );

  it('images=direct: as they were sent', async () => {
    const body = await bodyFor('direct');
    expect(body?.new_html).toContain(`<img src="${PIXEL}&amp;new"`);
    expect(body?.quoted_html).toContain(`<img src="${PIXEL}&amp;quoted"`);
    expect(JSON.stringify(body)).not.toContain('data-blocked');
  });

  it('the text is the same either way', async () => {
    const [blocked, direct] = [await bodyFor('blocked'), await bodyFor('direct')];
    expect(blocked?.new_plain_text).toBe(direct?.new_plain_text);
    expect(blocked?.sanitized_html?.replaceAll('data-blocked-src', 'src')).toBe(direct?.sanitized_html);
  });

  it.each(['proxied', '', 'BLOCKED'])('400: images=%j', async (images) => {
    expect(await problemsOf(retrieve(images as Images))).toEqual({ images: 'invalid' });
  });

  it('comments have no images, also those that were saved with one', async () => {
    const comment = await givenComment(
      workspace.ada,
      { id },
      { html_content: `<p>a</p><img src="${PIXEL}">` },
    );
    expect(comment.html_content).toBe('<p>a</p>');
    await workspace.table.update<StoredComment>(keys.comment('threads', id, comment.id), {
      set: { html_content: `<p>a</p><img src="${PIXEL}" />` },
    });
    for (const images of ['blocked', 'direct'] as const) {
      const [shown] = (await thread(images)).comments ?? [];
      expect(shown?.html_content).toBe(`<p>a</p><img data-blocked-src="${PIXEL}" />`);
    }
    const alone = await listed(workspace.ada, { id }, comment.id);
    expect(alone?.html_content).not.toContain(' src=');
  });
});
