import { expectTypeOf } from 'vitest';
import type { Client } from '#shared/api/client.ts';
import type { families } from '../../functions/catalogue.ts';

/** The types of the client of the catalogue. Nothing here runs: `tsc` checks it. */

declare const api: Client<typeof families>;

const text = { html_content: '<p>Hello</p>' };

async function responses() {
  const created = await api.createTag({ body: { tag: { name: 'Renewal' } } });
  expectTypeOf(created.status).toEqualTypeOf<number>();
  expectTypeOf(created.body.tag.name).toEqualTypeOf<string>();
  // @ts-expect-error: the response has one tag
  void created.body.tags;
  // @ts-expect-error: a tag has no such field
  void created.body.tag.nmae;
  const { body } = await api.deleteTag({ params: { id: 'a' } });
  expectTypeOf(body).toEqualTypeOf<null>();
  const page = await api.retrieveDocs();
  expectTypeOf(page.body).toEqualTypeOf<string>();
}

async function bodies() {
  // @ts-expect-error: a name is text
  await api.createTag({ body: { tag: { name: 1 } } });
  // @ts-expect-error: a tag has a name
  await api.createTag({ body: { tag: {} } });
  // @ts-expect-error: a tag has no such field
  await api.createTag({ body: { tag: { name: 'Renewal', nmae: 'Renewal' } } });
  // @ts-expect-error: the body has no such field
  await api.createTag({ body: { tag: { name: 'Renewal' }, contact: {} } });
  await api.markAllNotificationsRead({ body: {} });
  // @ts-expect-error: nothing is sent
  await api.markAllNotificationsRead({ body: { ids: ['a'] } });
}

async function queries() {
  await api.listThreads({ query: { next_cursor: 'a' } });
  // @ts-expect-error: the list takes no such parameter
  await api.listThreads({ query: { nxet_cursor: 'a' } });
  // @ts-expect-error: the operation takes none
  await api.retrieveTag({ params: { id: 'a' }, query: { next_cursor: 'a' } });
}

async function paths() {
  await api.retrieveTag({ params: { id: 'a' } });
  // @ts-expect-error: the path has another name for it
  await api.retrieveTag({ params: { tag_id: 'a' } });
  // @ts-expect-error: a path is text
  await api.retrieveTag({ params: { id: 1 } });
  // @ts-expect-error: one of two is missing
  await api.updateReaction({ params: { comment_id: 'a' }, body: { reaction: { text: 'b' } } });
  // @ts-expect-error: the path names nothing
  await api.listTags({ params: { id: 'a' } });
  await api.createComment({ params: { record_type: 'contacts', record_id: 'a' }, body: { comment: text } });
  // @ts-expect-error: no such record type
  await api.createComment({ params: { record_type: 'contact', record_id: 'a' }, body: { comment: text } });
  await api.createComment({
    // @ts-expect-error: nobody comments on tasks
    params: { record_type: 'tasks', record_id: 'a' },
    body: { comment: text },
  });
  await api.listShares({ params: { record_type: 'contacts', record_id: 'a' } });
  await api.createComment({
    // @ts-expect-error: nobody comments on mailboxes
    params: { record_type: 'mailboxes', record_id: 'a' },
    body: { comment: text },
  });
}

// @ts-expect-error: no such operation
void api.createTags;

export const checked = [responses, bodies, queries, paths];
