import { families } from '../../functions/catalogue.ts';
import { importArchive } from '../../infra/scripts/import-archive.ts';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { type Client, createClient } from '../../shared/api/client.ts';
import { mentioning } from '../support/documents.ts';

/** How every operation of the catalogue is called to be measured, on any workspace that holds what `readWorld` wants. */

type Api = Client<typeof families>;

export interface World {
  base_url: string;
  write_key: string;
  /** The client with a read_write key. */
  api: Api;
  /** The client with a session token. */
  session: Api;
  thread_id: string;
  contact_id: string;
  mailbox_id: string;
  notification_id: string;
  /** Another user of the account. */
  colleague_id: string;
}

type Call = () => Promise<{ status: number }>;

/** Brings the world into the state that the call is for. Only what it gives back is measured. */
type Case = (world: World, run: string) => Call | Promise<Call>;

export interface WorldKeys {
  base_url: string;
  write_key: string;
  session_token: string;
}

/** The newest of what the user sees. */
export async function readWorld({ base_url, write_key, session_token }: WorldKeys): Promise<World> {
  const api = createClient(families, { base_url, key: write_key });
  const first = (name: string, { body }: { body: { collection: { records: { id: string }[] } } }) => {
    const [record] = body.collection.records;
    if (!record) throw new Error(`The workspace has no ${name}`);
    return record.id;
  };
  const { user } = (await api.retrieveCurrentUser()).body;
  const users = (await api.listUsers()).body.collection.records;
  const colleague_id = users.find(({ id }) => id !== user.id)?.id;
  if (!colleague_id) throw new Error('The workspace has one user only');
  return {
    base_url,
    write_key,
    api,
    session: createClient(families, { base_url, key: session_token }),
    thread_id: first('thread', await api.listThreads()),
    contact_id: first('contact', await api.listContacts()),
    mailbox_id: first('mailbox', await api.listMailboxes()),
    notification_id: first('notification', await api.listNotifications()),
    colleague_id,
  };
}

const simply =
  (call: (world: World) => ReturnType<Call>): Case =>
  (world) =>
  () =>
    call(world);

const mail = (run: string) =>
  Buffer.from(
    `Message-ID: <${run}@bench.example>\r\nFrom: Bench <bench@bench.example>\r\nSubject: Bench\r\n` +
      'Date: Mon, 02 Nov 2026 10:00:00 +0000\r\n\r\nHello.\r\n',
  );

async function uploaded({ api }: World, run: string): Promise<string> {
  const bytes = toMbox([mail(run)]);
  const draft = { file_name: 'bench.mbox', content_type: 'application/mbox', size: bytes.length };
  const { upload } = (await api.createUpload({ body: { upload: draft } })).body;
  await fetch(upload.url as string, {
    method: 'PUT',
    headers: upload.headers as Record<string, string>,
    body: bytes,
  });
  return upload.id;
}

async function imported({ base_url, write_key, mailbox_id }: World, run: string): Promise<string> {
  const bytes = toMbox([mail(run)]);
  const archive = { file_name: 'bench.mbox', content_type: 'application/mbox', bytes };
  return (await importArchive({ base_url, key: write_key, mailbox_id }, archive)).id;
}

const onThread = (world: World) => ({ record_type: 'threads' as const, record_id: world.thread_id });
const onContact = (world: World) => ({ record_type: 'contacts' as const, record_id: world.contact_id });

async function newTag({ api }: World, run: string): Promise<string> {
  return (await api.createTag({ body: { tag: { name: `Bench ${run}` } } })).body.tag.id;
}

async function newKey({ session }: World): Promise<string> {
  return (await session.createApiKey({ body: { api_key: { name: 'Bench', tier: 'read' } } })).body.api_key.id;
}

export const cases: Record<string, Case> = {
  createApiKey: (world) => () =>
    world.session.createApiKey({ body: { api_key: { name: 'Bench', tier: 'read' } } }),
  deleteApiKey: async (world) => {
    const id = await newKey(world);
    return () => world.session.deleteApiKey({ params: { id } });
  },
  listApiKeys: simply(({ session }) => session.listApiKeys()),

  /** That mentions somebody: all that can be asked is asked. */
  createComment: (world) => () =>
    world.api.createComment({
      params: onThread(world),
      body: {
        comment: {
          html_content: '<p>Can you <strong>call</strong> them?</p>',
          json_content: mentioning(world.colleague_id),
        },
      },
    }),
  listComments: simply((world) => world.api.listComments({ params: onThread(world) })),

  createContact: (world, run) => () =>
    world.api.createContact({
      body: {
        contact: {
          first_name: 'Bench',
          last_name: run,
          email_addresses: [{ email_address: `${run}@bench.example`, label: 'work', primary: true }],
        },
      },
    }),
  listContacts: simply(({ api }) => api.listContacts()),
  retrieveContact: simply(({ api, contact_id }) => api.retrieveContact({ params: { id: contact_id } })),

  retrieveDocs: simply(({ api }) => api.retrieveDocs()),
  retrieveDocsAsset: simply(({ api }) => api.retrieveDocsAsset({ params: { asset: 'swagger-ui.css' } })),
  retrieveOpenApi: simply(({ api }) => api.retrieveOpenApi()),

  createMailImport: async (world, run) => {
    const upload_id = await uploaded(world, run);
    const params = { mailbox_id: world.mailbox_id };
    return () => world.api.createMailImport({ params, body: { import: { upload_id } } });
  },
  retrieveMailImport: async (world, run) => {
    const params = { mailbox_id: world.mailbox_id, id: await imported(world, run) };
    return () => world.api.retrieveMailImport({ params });
  },
  listMailboxes: simply(({ api }) => api.listMailboxes()),
  retrieveMailbox: simply(({ api, mailbox_id }) => api.retrieveMailbox({ params: { id: mailbox_id } })),

  listNotifications: simply(({ api }) => api.listNotifications()),
  countNotifications: simply(({ api }) => api.countNotifications()),
  /** With one that was marked unread after the last time: what takes longest. */
  markAllNotificationsRead: async ({ api, notification_id }) => {
    await api.markNotificationUnread({ params: { id: notification_id } });
    return () => api.markAllNotificationsRead({ body: {} });
  },
  markNotificationRead: async ({ api, notification_id }) => {
    const params = { id: notification_id };
    await api.markNotificationUnread({ params });
    return () => api.markNotificationRead({ params });
  },
  markNotificationUnread: async ({ api, notification_id }) => {
    const params = { id: notification_id };
    await api.markNotificationRead({ params });
    return () => api.markNotificationUnread({ params });
  },

  createTag: (world, run) => () => world.api.createTag({ body: { tag: { name: `Bench ${run}` } } }),
  listTags: simply(({ api }) => api.listTags()),
  retrieveTag: async (world, run) => {
    const id = await newTag(world, run);
    return () => world.api.retrieveTag({ params: { id } });
  },
  applyTag: async (world, run) => {
    const tag_id = await newTag(world, run);
    return () => world.api.applyTag({ params: onContact(world), body: { tag_id } });
  },
  removeTag: async (world, run) => {
    const tag_id = await newTag(world, run);
    await world.api.applyTag({ params: onContact(world), body: { tag_id } });
    return () => world.api.removeTag({ params: { ...onContact(world), tag_id } });
  },

  listThreads: simply(({ api }) => api.listThreads()),
  retrieveThread: simply(({ api, thread_id }) => api.retrieveThread({ params: { id: thread_id } })),
  flagThread: stateCase('unflagThread', 'flagThread'),
  unflagThread: stateCase('flagThread', 'unflagThread'),
  markThreadRead: stateCase('markThreadUnread', 'markThreadRead'),
  markThreadUnread: stateCase('markThreadRead', 'markThreadUnread'),

  createUpload: (world) => () =>
    world.api.createUpload({
      body: { upload: { file_name: 'bench.mbox', content_type: 'application/mbox', size: 1_000 } },
    }),

  listUsers: simply(({ api }) => api.listUsers()),
  retrieveCurrentUser: simply(({ api }) => api.retrieveCurrentUser()),
};

type StateOperation = 'flagThread' | 'unflagThread' | 'markThreadRead' | 'markThreadUnread';

function stateCase(undo: StateOperation, operation: StateOperation): Case {
  return async ({ api, thread_id }) => {
    const params = { thread_id };
    await api[undo]({ params });
    return () => api[operation]({ params });
  };
}

/** The case of an operation; without one nobody would know what it costs. */
export function caseOf(operation: string): Case {
  const found = cases[operation];
  if (!found) throw new Error(`Operation ${operation} has no case in test/bench/cases.ts`);
  return found;
}
