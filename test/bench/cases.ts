import { type Client, createClient } from '#shared/api/client.ts';
import { contextOf } from '#shared/context.ts';
import { unsubscribeToken } from '#shared/domain/collaboration/notifications/mails/token.ts';
import { pairIdOf } from '#shared/domain/crm/duplicates/duplicate.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { openAccount } from '#shared/domain/identity/accounts/open.ts';
import { storedBilling } from '#shared/domain/identity/billing/open.ts';
import { issueCode } from '#shared/domain/identity/codes/issue.ts';
import { openSession } from '#shared/domain/identity/sessions/open.ts';
import { findLogin } from '#shared/domain/identity/users/addresses.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { newId } from '#shared/ids.ts';
import { getServices } from '#shared/services.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { families } from '../../functions/catalogue.ts';
import { importArchive } from '../../infra/scripts/import-archive.ts';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { CaldavServer } from '../support/caldav-server.ts';
import { callerOf } from '../support/callers.ts';
import { mentioning } from '../support/documents.ts';
import { startForgedIssuer } from '../support/forged-issuer.ts';
import { eml } from '../support/mail.ts';
import { withFiles } from '../support/mail-files.ts';
import { startMailProvider } from '../support/mail-provider.ts';
import { allPorts } from '../support/ports.ts';
import { propose } from '../support/proposals.ts';
import { runRemovals } from '../support/removed-records.ts';
import { startScriptedImap } from '../support/scripted-imap.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';
import { startStripe } from '../support/stripe-server.ts';
import { givenBriefing } from './daily-briefings.ts';
import { givenRequest, hiddenThread } from './share-requests.ts';

/** How the benches call every operation of the catalogue, on any workspace that holds what `readWorld` reads. */

type Api = Client<typeof families>;

export interface World {
  /** For records that no operation creates. */
  table: Table;
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

/** Prepares the world for the call, which it returns. Only that call is measured. */
type Case = (world: World, run: string) => Call | Promise<Call>;

export interface WorldKeys {
  table: Table;
  base_url: string;
  write_key: string;
  session_token: string;
}

/** The newest that the user sees. */
export async function readWorld({ table, base_url, write_key, session_token }: WorldKeys): Promise<World> {
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
    table,
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

const simple = new WeakSet<Case>();

function simply(call: (world: World) => ReturnType<Call>): Case {
  const made: Case = (world) => () => call(world);
  simple.add(made);
  return made;
}

const mail = (run: string) =>
  Buffer.from(
    `Message-ID: <${run}@bench.example>\r\nFrom: Bench <bench@bench.example>\r\nSubject: Bench\r\n` +
      'Date: Mon, 02 Nov 2026 10:00:00 +0000\r\n\r\nHello.\r\n',
  );

async function uploaded({ api }: World, run: string, content_type = 'application/mbox'): Promise<string> {
  const bytes = toMbox([mail(run)]);
  const draft = { file_name: 'bench.mbox', content_type, size: bytes.length };
  const { upload } = (await api.createUpload({ body: { upload: draft } })).body;
  await fetch(upload.url as string, {
    method: 'PUT',
    headers: upload.headers as Record<string, string>,
    body: bytes,
  });
  return upload.id;
}

const TABLE = { record_type: 'contacts' as const, format: 'csv' as const };

async function uploadedTable({ api }: World, run: string): Promise<string> {
  const bytes = Buffer.from(`name,external_id\nBench,${run}\n`);
  const draft = { file_name: 'bench.csv', content_type: 'text/csv', size: bytes.length };
  const { upload } = (await api.createUpload({ body: { upload: draft } })).body;
  await fetch(`${upload.url}`, { method: 'PUT', headers: upload.headers ?? {}, body: bytes });
  return upload.id;
}

async function tried(world: World, run: string): Promise<string> {
  const upload_id = await uploadedTable(world, run);
  return (await world.api.createImport({ body: { import: { upload_id, record_type: 'contacts' } } })).body
    .import.id;
}

/** Waits until the dry run has ended. */
async function triedToItsEnd(world: World, run: string): Promise<string> {
  const id = await tried(world, run);
  for (let status = 'pending'; status !== 'complete'; )
    ({ status } = (await world.api.retrieveImport({ params: { id } })).body.import);
  return id;
}

async function newFile(world: World, run: string): Promise<string> {
  const file = { upload_id: await uploaded(world, run), contact_ids: [world.contact_id] };
  return (await world.api.createFile({ body: { file } })).body.file.id;
}

const written = ({ api, mailbox_id }: Pick<World, 'api' | 'mailbox_id'>) => {
  const draft = { mailbox_id, to_email_addresses: ['priya@ferries.example'], body: 'We come at noon.' };
  return api.createDraft({ body: { draft } });
};

const newDraft = async (world: World): Promise<string> => (await written(world)).body.draft.id;

/** As clients send a server of calendars. */
async function calendarServer() {
  const server = await new CaldavServer().start();
  server.unref();
  server.calendar('Ferries');
  getServices().config.calendar_hosts.push(server.host);
  return { url: server.url, username: 'ada', password: server.password };
}

/** A mailbox at servers of its own, as clients send it. */
async function mailboxAtServers(run: string) {
  const [imap, smtp] = await Promise.all([
    startScriptedImap(),
    startSmtpSink({ onAuth: (_, __, done) => done(null, { user: 'ada' }) }),
  ]);
  imap.unref();
  smtp.unref();
  getServices().config.mail_private_hosts = true;
  const server = { host: '127.0.0.1', tls: false, username: 'ada', password: 'words' };
  return {
    ...{ provider: 'imap' as const, email_address: `box-${run}@acme.example` },
    imap: { ...server, port: imap.port },
    smtp: { ...server, port: Number(new URL(smtp.url).port) },
  };
}

/** By the mailbox of their world. */
const connected = new Map<string, Promise<string>>();

async function connect({ session, mailbox_id }: World): Promise<string> {
  const mailbox = await mailboxAtServers(mailbox_id);
  const { id } = (await session.createMailbox({ body: { mailbox } })).body.mailbox;
  const caldav = await calendarServer();
  await session.updateMailboxCredentials({ params: { id }, body: { mailbox: { caldav } } });
  return id;
}

/**
 * A mailbox that sends, and whose mail and calendars are read: servers that refuse would lock it. One for a world, because a
 * user may connect only so many servers in an hour.
 */
function connectedMailbox(world: World): Promise<string> {
  const found = connected.get(world.mailbox_id) ?? connect(world);
  connected.set(world.mailbox_id, found);
  return found;
}

async function sendableDraft(world: World): Promise<string> {
  const mailbox_id = await connectedMailbox(world);
  return (await written({ api: world.api, mailbox_id })).body.draft.id;
}

async function imported({ base_url, write_key, mailbox_id }: World, run: string): Promise<string> {
  const bytes = toMbox([mail(run)]);
  const archive = { file_name: 'bench.mbox', content_type: 'application/mbox', bytes };
  return (await importArchive({ base_url, key: write_key, mailbox_id }, archive)).id;
}

/** A mail with a file. */
async function attached(world: World, run: string) {
  const { base_url, write_key, mailbox_id, api } = world;
  const files = withFiles('<p>Hello</p>', [{ name: `${run}.txt`, content: run }]);
  const bytes = toMbox([eml({ id: `${run}@files.example`, subject: run, ...files })]);
  await importArchive(
    { base_url, key: write_key, mailbox_id },
    { file_name: 'bench.mbox', content_type: 'application/mbox', bytes },
  );
  const { records } = (await api.listThreads({ query: { subject: run } })).body.collection;
  const { thread } = (await api.retrieveThread({ params: { id: records[0]?.id ?? '' } })).body;
  const { id = '', file_id } = thread.messages?.[0]?.attachments?.[0] ?? {};
  return { id, file_id: file_id ?? '' };
}

const onThread = (world: World) => ({ record_type: 'threads' as const, record_id: world.thread_id });
const onContact = (world: World) => ({ record_type: 'contacts' as const, record_id: world.contact_id });

async function newTag({ api }: World, run: string): Promise<string> {
  return (await api.createTag({ body: { tag: { name: `Bench ${run}` } } })).body.tag.id;
}

async function newComment(world: World, draft: { parent_comment_id?: string } = {}): Promise<string> {
  const comment = { html_content: '<p>Hello</p>', ...draft };
  return (await world.api.createComment({ params: onThread(world), body: { comment } })).body.comment.id;
}

async function newReaction(world: World): Promise<{ comment_id: string; id: string }> {
  const comment_id = await newComment(world);
  const { body } = await world.api.addReaction({
    params: { comment_id },
    body: { reaction: { text: '👍' } },
  });
  return { comment_id, id: body.reaction.id };
}

async function newKey({ session }: World): Promise<string> {
  return (await session.createApiKey({ body: { api_key: { name: 'Bench', tier: 'read' } } })).body.api_key.id;
}

async function newDevice({ session }: World, run: string): Promise<string> {
  const device_token = { platform: 'android' as const, token: `token-of-a-phone-${run}` };
  return (await session.createDeviceToken({ body: { device_token } })).body.device_token.id;
}

async function ownCalendar(api: Api): Promise<{ id: string; user_id: string }> {
  const { user } = (await api.retrieveCurrentUser()).body;
  const calendars = (await api.listCalendars()).body.collection.records;
  return { id: calendars.find(({ user_id }) => user_id === user.id)?.id ?? '', user_id: user.id };
}

async function newSubscription({ api }: World) {
  const { id: calendar_id, user_id } = await ownCalendar(api);
  const subscribe = () =>
    api.createCalendarSubscription({
      params: { user_id },
      body: { calendar_subscription: { calendar_id } },
    });
  const { id } = (await subscribe()).body.calendar_subscription;
  return { params: { user_id, id }, subscribe };
}

async function newGroup({ api, colleague_id }: World, run: string): Promise<string> {
  const group = { name: `Bench ${run}`, user_ids: [colleague_id] };
  return (await api.createGroup({ body: { group } })).body.group.id;
}

/** One for all runs: a record type has at most 50; a deleted one is made again. */
async function aCustomField({ api }: World, run: string): Promise<string> {
  const { custom_fields } = (await api.listCustomFields({ query: { record_type: 'deals' } })).body;
  const [existing] = custom_fields;
  if (existing) return existing.id;
  const custom_field = { record_type: 'deals' as const, key: run, name: 'Bench', type: 'text' as const };
  return (await api.createCustomField({ body: { custom_field } })).body.custom_field.id;
}

/** A new pipeline in place of those of cases before, or an existing one for a user who may not create any. */
async function aPipeline({ api }: World, run: string) {
  const { pipelines } = (await api.listPipelines()).body;
  try {
    for (const { id, name } of pipelines)
      if (name.startsWith('Bench')) await api.deletePipeline({ params: { id } });
    return (await api.createPipeline({ body: { pipeline: { name: `Bench ${run}` } } })).body.pipeline;
  } catch (error) {
    const [existing] = pipelines;
    if (existing && (error as { code?: string }).code === 'permission_denied') return existing;
    throw error;
  }
}

async function newConversation(world: World): Promise<string> {
  const conversation = { record_type: 'thread' as const, record_id: world.thread_id };
  return (await world.api.createConversation({ body: { conversation } })).body.conversation.id;
}

async function newMessage(world: World, conversation_id: string): Promise<string> {
  const { body } = await world.api.createMessage({
    params: { conversation_id },
    body: { message: { text: 'What did we promise the ferries?' } },
  });
  return body.message.id;
}

async function newDeal({ api, contact_id }: World, run: string): Promise<string> {
  const draft = { name: `Bench ${run}`, amount: 100, contact_ids: [contact_id] };
  return (await api.createDeal({ body: { deal: draft } })).body.deal.id;
}

async function newTask({ api, contact_id }: World, run: string): Promise<string> {
  const draft = { name: `Bench ${run}`, due_at: '2026-11-20', contact_ids: [contact_id] };
  return (await api.createTask({ body: { task: draft } })).body.task.id;
}

async function newSpace({ api }: World, run: string): Promise<string> {
  const space = { name: `Bench ${run}`, kind: 'records' as const };
  return (await api.createSpace({ body: { space } })).body.space.id;
}

async function newMilestone({ api, contact_id }: World, run: string): Promise<string> {
  const draft = { name: `Bench ${run}`, due_on: '2026-11-20', contact_id };
  return (await api.createMilestone({ body: { milestone: draft } })).body.milestone.id;
}

async function newContact({ api }: World, run: string): Promise<string> {
  return (await api.createContact({ body: { contact: { name: `Bench ${run}` } } })).body.contact.id;
}

/** Nothing is asked of a user who is no admin when it is on already. */
async function turnOn({ api }: World, agent_slug: string): Promise<void> {
  const { records } = (await api.listAgentConfigurations()).body.collection;
  if (records.some((each) => each.agent_slug === agent_slug && each.enabled)) return;
  const agent_configuration = { enabled: true };
  await api.updateAgentConfiguration({ params: { agent_slug }, body: { agent_configuration } });
}

/** Two contacts with one name and a number, and the id of the pair. */
async function newPair(world: World, run: string) {
  const contact = { name: `Bench ${run}`, phone_numbers: [{ phone_number: '+44 20 7946 0123' }] };
  const [one, other] = [
    (await world.api.createContact({ body: { contact } })).body.contact.id,
    (await world.api.createContact({ body: { contact } })).body.contact.id,
  ];
  return { contact_id: one, other, id: pairIdOf(one, other) };
}

async function newOrganization({ api }: World, run: string): Promise<string> {
  return (await api.createOrganization({ body: { organization: { name: `Bench ${run}` } } })).body
    .organization.id;
}

/** A weekly meeting with a colleague; the id of its next occurrence. */
async function newOccurrence({ api, mailbox_id }: World, run: string): Promise<string> {
  const { records } = (await api.listCalendars({ query: { mailbox_id } })).body.collection;
  const draft = {
    ...{ calendar_id: records[0]?.id ?? '', name: `Bench ${run}`, time_zone: 'Europe/London' },
    ...{ starts_at: '2093-03-23T09:00:00Z', ends_at: '2093-03-23T10:00:00Z' },
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=20'],
    attendees: [{ email_address: (await api.retrieveCurrentUser()).body.user.email_address }],
  };
  const { id } = (await api.createCalendarEvent({ body: { calendar_event: draft } })).body.calendar_event;
  const query = { starts_after: '2093-03-20', starts_before: '2093-04-20', limit: '250' as never };
  const events = (await api.listCalendarEvents({ query })).body.collection.records;
  return events.find(({ recurring_event_id }) => recurring_event_id === id)?.id ?? '';
}

async function accountOf({ table, contact_id }: World): Promise<string> {
  return (await table.get<{ account_id: string }>(keys.record('contacts', contact_id)))?.account_id ?? '';
}

/** The account pays by a local Stripe from now on. */
async function payByStripe(world: World) {
  const stripe = await startStripe();
  getServices().config.billing = stripe.config;
  const key = keys.account(await accountOf(world));
  const { id: customer_id } = stripe.world.givenCustomer();
  const billing = { ...storedBilling({}), provider: 'stripe' as const };
  const billing_reference = { customer_id, subscription_id: null, billing, readings: 0 };
  await world.table.update<Account>(key, { set: { billing_reference } });
  return { stripe, customer_id };
}

/** The token of a mail to a user. */
async function unsubscriptionOf(world: World, user_id: string): Promise<string> {
  const whose = { account_id: await accountOf(world), user_id };
  const { config, clock } = getServices();
  return unsubscribeToken(config.cursor_keys, whose, clock());
}

/** A user of the same account, without keys and records. */
async function newColleague(world: World, user_id: string): Promise<string> {
  const { table } = world;
  const account_id = await accountOf(world);
  const user = await table.get<User>(keys.user(account_id, user_id));
  if (!user) throw new Error('The workspace has no user');
  const id = newId(new Date());
  await table.put({ ...user, ...keys.user(account_id, id), id, role: 'member', mailboxes: {} });
  return id;
}

/** A change of a new contact, proposed to the user. */
async function newProposal({ api, table }: World, run: string): Promise<string> {
  const { contact } = (await api.createContact({ body: { contact: { name: `Bench ${run}` } } })).body;
  const stored = await table.get<{ account_id: string }>(keys.record('contacts', contact.id));
  const { user } = (await api.retrieveCurrentUser()).body;
  const caller = await callerOf(table, { id: user.id, account_id: stored?.account_id ?? '' });
  const params = { record_id: contact.id, headline: 'Analyst' };
  // By the clock of the service.
  const now = new Date(contact.created_at);
  return (
    await propose(
      { ...contextOf(getServices(), allPorts), caller, now },
      { action_type: 'contact.update', params },
    )
  ).id;
}

/** An hour of a meeting. */
const spoken = {
  language: 'en',
  segments: Array.from({ length: 600 }, (_, i) => ({
    ...{ started_ms: i * 6_000, ended_ms: i * 6_000 + 5_000 },
    text: 'They asked twice whether the clips rust, and they do not.',
  })),
};

/** As signing in opens it, with a request from this address. */
async function newSession({ api, table }: World) {
  const { user } = (await api.retrieveCurrentUser()).body;
  const ctx = { ...contextOf(getServices(), {}), source_ip: '192.0.2.7', user_agent: null };
  const login = await findLogin(table, user.email_address);
  const opened = openSession(ctx, { id: user.id, account_id: login?.account_id ?? '' });
  await table.transact(opened.writes);
  return opened;
}

/** Another account, with the client of its owner in a session. */
async function newAccount({ table, base_url }: World, run: string) {
  const person = { name: 'Bench', email_address: `owner-${run}@bench.example` };
  const { account, owner } = await openAccount(
    table,
    { name: 'Bench', owner: { ...person, time_zone: 'Etc/UTC', week_starts_on: 'monday' } },
    new Date(),
  );
  const ctx = { ...contextOf(getServices(), {}), source_ip: '192.0.2.7', user_agent: null };
  const { tokens, writes } = openSession(ctx, owner);
  await table.transact(writes);
  return { id: account.id, api: createClient(families, { base_url, key: tokens.access_token }) };
}

/** The client with a session of its own. */
async function inNewSession(world: World) {
  const { session, tokens } = await newSession(world);
  return {
    id: session.id,
    api: createClient(families, { base_url: world.base_url, key: tokens.access_token }),
  };
}

/** A code for a user of the account, as the worker mails it: asked for without the worker, which would make another. */
async function mailedCode({ api, table }: World, code_id: string, address?: string) {
  const email_address = address ?? (await api.retrieveCurrentUser()).body.user.email_address;
  const ctx = contextOf(getServices(), {});
  const expires_at_ms = ctx.now.getTime() + 60_000;
  await table.put({ ...keys.oneTimeCode(email_address), code_id, asked_at_ms: [], expires_at_ms });
  const one_time_code = await issueCode(ctx, { email_address, code_id });
  return { email_address, one_time_code: one_time_code as string };
}

export const cases: Record<string, Case> = {
  createUser: (world, run) => () =>
    world.session.createUser({ body: { user: { email_address: `${run}@bench.example`, name: 'Bench' } } }),
  retrieveUser: simply(({ api, colleague_id }) => api.retrieveUser({ params: { id: colleague_id } })),
  updateUser: async ({ api }, run) => {
    const { id } = (await api.retrieveCurrentUser()).body.user;
    return () => api.updateUser({ params: { id }, body: { user: { last_name: `Bench ${run}` } } });
  },
  deleteUser: async (world) => {
    const { user } = (await world.api.retrieveCurrentUser()).body;
    const id = await newColleague(world, user.id);
    return () => world.session.deleteUser({ params: { id } });
  },
  createAccount: async (world, run) => {
    const proof = await mailedCode(world, run, `${run}@new.example`);
    return () => world.api.createAccount({ body: { account: { name: 'Bench', ...proof } } });
  },
  showDashboard: simply(({ api }) => api.showDashboard()),
  /** The first one of the day. */
  createDailyBriefing: async (world) => {
    const { user_id, date } = await givenBriefing(world);
    await world.table.delete(keys.dailyBriefing(user_id, date));
    return () => world.api.createDailyBriefing();
  },
  listDailyBriefings: async (world) => {
    await givenBriefing(world);
    return () => world.api.listDailyBriefings();
  },
  retrieveDailyBriefing: async (world) => {
    const { id } = await givenBriefing(world);
    return () => world.api.retrieveDailyBriefing({ params: { id } });
  },
  retrieveAccount: async (world) => {
    const id = await accountOf(world);
    return () => world.api.retrieveAccount({ params: { id } });
  },
  updateAccount: async (world, run) => {
    const id = await accountOf(world);
    return () => world.session.updateAccount({ params: { id }, body: { account: { name: `Bench ${run}` } } });
  },
  checkInitialization: async (world) => {
    const id = await accountOf(world);
    return () => world.session.checkInitialization({ params: { id } });
  },
  completeInitialization: async (world, run) => {
    await imported(world, run);
    const id = await accountOf(world);
    return () => world.session.completeInitialization({ params: { id } });
  },
  closeAccount: async (world, run) => {
    const { id, api } = await newAccount(world, run);
    return () => api.closeAccount({ params: { id } });
  },
  throttleCheck: simply(({ api }) => api.throttleCheck()),
  createCreditCard: async (world) => {
    await payByStripe(world);
    return () => world.session.createCreditCard();
  },
  updateCreditCard: async (world) => {
    const { stripe, customer_id } = await payByStripe(world);
    const { id: payment_method_id } = stripe.world.givenCard(customer_id);
    return () => world.session.updateCreditCard({ body: { credit_card: { payment_method_id } } });
  },
  createBillingEvent: async (world) => {
    const { stripe, customer_id } = await payByStripe(world);
    const { body, headers } = stripe.event('customer.updated', { object: 'customer', id: customer_id });
    const sent = { method: 'POST', headers, body };
    return () => fetch(`${world.base_url}/billing/events`, sent);
  },
  createAccessToken: async (world) => {
    const { refresh_token } = (await newSession(world)).tokens;
    return () => world.api.createAccessToken({ body: { refresh_token } });
  },
  createSession: async (world, run) => {
    const session = await mailedCode(world, run);
    return () => world.api.createSession({ body: { session } });
  },
  createSessionAuthorization: async ({ api, base_url }) => {
    const { client } = await startForgedIssuer();
    getServices().config.openid = { clients: { oidc: client }, redirect_urls: [] };
    const body = { provider: 'oidc', redirect_url: `${base_url}/signed-in` };
    return () => api.createSessionAuthorization({ body });
  },
  showTimeline: simply(({ api, contact_id }) => api.showTimeline({ query: { contact_id } })),
  searchRecords: simply(({ api }) => api.searchRecords({ query: { query: 'ada' } })),

  listSessions: simply(({ session }) => session.listSessions()),
  deleteSession: async (world) => {
    const { id, api } = await inNewSession(world);
    return () => api.deleteSession({ params: { id } });
  },
  deleteCurrentSession: async (world) => {
    const { api } = await inNewSession(world);
    return () => api.deleteCurrentSession();
  },

  listAgentConfigurations: simply(({ api }) => api.listAgentConfigurations()),
  updateAgentConfiguration: simply(({ api }) =>
    api.updateAgentConfiguration({
      params: { agent_slug: 'auto_tag' },
      body: { agent_configuration: { enabled: true, instructions: 'Invoices get the tag Accounting.' } },
    }),
  ),

  createTermsAssent: ({ session }, run) => {
    const document = {
      slug: 'bench',
      version: run,
      title: 'Bench',
      url: 'https://bench.example',
      required: false,
    };
    getServices().config.terms = [document];
    const terms_assent = { documents: [document], method: 'clickwrap' };
    return () => session.createTermsAssent({ body: { terms_assent } });
  },
  listTermsAssents: simply(({ session }) => session.listTermsAssents()),

  listAuditEvents: simply(({ session }) => session.listAuditEvents()),

  createPresignedUrl: async (world, run) => {
    const { id } = await attached(world, run);
    return () => world.api.createPresignedUrl({ params: { id } });
  },

  createSocketTicket: simply(({ api }) => api.createSocketTicket()),
  createApiKey: (world) => () =>
    world.session.createApiKey({ body: { api_key: { name: 'Bench', tier: 'read' } } }),
  deleteApiKey: async (world) => {
    const id = await newKey(world);
    return () => world.session.deleteApiKey({ params: { id } });
  },
  listApiKeys: simply(({ session }) => session.listApiKeys()),

  createDeviceToken: (world, run) => () =>
    world.session.createDeviceToken({
      body: { device_token: { platform: 'android', token: `token-of-a-phone-${run}`, name: 'Bench' } },
    }),
  deleteDeviceToken: async (world, run) => {
    const id = await newDevice(world, run);
    return () => world.session.deleteDeviceToken({ params: { id } });
  },
  listDeviceTokens: async (world, run) => {
    await newDevice(world, run);
    return () => world.session.listDeviceTokens();
  },

  retrieveUnsubscription: async (world) => {
    const { user } = (await world.api.retrieveCurrentUser()).body;
    const query = { token: await unsubscriptionOf(world, user.id) };
    return () => world.api.retrieveUnsubscription({ query });
  },
  createUnsubscription: async (world) => {
    const { user } = (await world.api.retrieveCurrentUser()).body;
    const notification_settings = { task_assigned: { push: true, email: true } };
    await world.api.updateUser({ params: { id: user.id }, body: { user: { notification_settings } } });
    const query = { token: await unsubscriptionOf(world, user.id) };
    return () => world.api.createUnsubscription({ query });
  },

  createWaitlistee: async (world, run) => {
    // Few are allowed in an hour.
    const counters = await world.table.all(keys.hourlyRate('WAITLIST', '127.0.0.1', 0).PK);
    await world.table.writeMany(counters.map((counter) => ({ delete: keyOf(counter) })));
    const waitlistee = { email_address: `${run}@waiting.example` };
    return () => world.api.createWaitlistee({ body: { waitlistee } });
  },

  /** With a mention, which makes the most calls. */
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
  /** With a new mention, in a reply. */
  updateComment: async (world) => {
    const parent_comment_id = await newComment(world);
    const params = { id: await newComment(world, { parent_comment_id }) };
    const comment = { html_content: '<p>Call them</p>', json_content: mentioning(world.colleague_id) };
    return () => world.api.updateComment({ params, body: { comment } });
  },
  /** With a reaction. */
  deleteComment: async (world) => {
    const { comment_id } = await newReaction(world);
    return () => world.api.deleteComment({ params: { id: comment_id } });
  },
  addReaction: async (world) => {
    const params = { comment_id: await newComment(world) };
    return () => world.api.addReaction({ params, body: { reaction: { text: '👍' } } });
  },
  updateReaction: async (world) => {
    const params = await newReaction(world);
    return () => world.api.updateReaction({ params, body: { reaction: { text: '🎉' } } });
  },
  removeReaction: async (world) => {
    const params = await newReaction(world);
    return () => world.api.removeReaction({ params });
  },

  listCalendars: simply(({ api }) => api.listCalendars()),
  updateCalendar: async ({ api }, run) => {
    const { id } = await ownCalendar(api);
    return () => api.updateCalendar({ params: { id }, body: { calendar: { description: run } } });
  },
  createCalendarSubscription: async (world) => {
    const { params, subscribe } = await newSubscription(world);
    await world.api.deleteCalendarSubscription({ params });
    return subscribe;
  },
  updateCalendarSubscription: async (world) => {
    const { params } = await newSubscription(world);
    const calendar_subscription = { visible: false };
    return () => world.api.updateCalendarSubscription({ params, body: { calendar_subscription } });
  },
  deleteCalendarSubscription: async (world) => {
    const { params } = await newSubscription(world);
    return () => world.api.deleteCalendarSubscription({ params });
  },
  retrieveCalendarIcs: async ({ api }) => {
    const { id } = await ownCalendar(api);
    return () => api.retrieveCalendarIcs({ params: { calendar_id: id } });
  },
  createCalendarEvent: async ({ api, mailbox_id }, run) => {
    const { records } = (await api.listCalendars({ query: { mailbox_id } })).body.collection;
    const times = { starts_at: '2093-03-23T09:00:00Z', ends_at: '2093-03-23T10:00:00Z' };
    const draft = { calendar_id: records[0]?.id ?? '', name: `Bench ${run}`, ...times };
    return () => api.createCalendarEvent({ body: { calendar_event: draft } });
  },
  listCalendarEvents: simply(({ api }) => api.listCalendarEvents()),
  retrieveCalendarEvent: async (world, run) => {
    const params = { id: await newOccurrence(world, run) };
    return () => world.api.retrieveCalendarEvent({ params });
  },
  retrieveCalendarEventIcs: async (world, run) => {
    const params = { calendar_event_id: await newOccurrence(world, run) };
    return () => world.api.retrieveCalendarEventIcs({ params });
  },
  /** An occurrence that gets an item by it. */
  updateCalendarEvent: async (world, run) => {
    const params = { id: await newOccurrence(world, run) };
    const body = { calendar_event: { name: 'Changed' }, scope: 'this' as const };
    return () => world.api.updateCalendarEvent({ params, body });
  },
  deleteCalendarEvent: async (world, run) => {
    const params = { id: await newOccurrence(world, run) };
    return () => world.api.deleteCalendarEvent({ params });
  },
  respondToCalendarEvent: async (world, run) => {
    const params = { calendar_event_id: await newOccurrence(world, run) };
    return () => world.api.respondToCalendarEvent({ params, body: { response: 'tentative' } });
  },
  remindOfCalendarEvent: async (world, run) => {
    const params = { calendar_event_id: await newOccurrence(world, run) };
    return () => world.api.remindOfCalendarEvent({ params, body: { reminders: [10] } });
  },
  createBrief: async (world, run) => {
    const params = { calendar_event_id: await newOccurrence(world, run) };
    return () => world.api.createBrief({ params });
  },
  createTranscript: async (world, run) => {
    const params = { calendar_event_id: await newOccurrence(world, run) };
    return () => world.api.createTranscript({ params, body: { transcript: spoken } });
  },
  retrieveTranscript: async (world, run) => {
    const params = { calendar_event_id: await newOccurrence(world, run) };
    await world.api.createTranscript({ params, body: { transcript: spoken } });
    return () => world.api.retrieveTranscript({ params });
  },
  deleteTranscript: async (world, run) => {
    const params = { calendar_event_id: await newOccurrence(world, run) };
    await world.api.createTranscript({ params, body: { transcript: spoken } });
    return () => world.api.deleteTranscript({ params });
  },

  listDeletions: async (world, run) => {
    for (let i = 0; i < 5; i++) await world.api.deleteDeal({ params: { id: await newDeal(world, run) } });
    return () => world.api.listDeletions({ params: { record_type: 'deals' } });
  },

  restoreRecord: async (world, run) => {
    const id = await newDeal(world, run);
    await world.api.deleteDeal({ params: { id } });
    return () => world.api.restoreRecord({ params: { record_type: 'deals', record_id: id } });
  },

  listHistory: async (world, run) => {
    const id = await newDeal(world, run);
    for (let amount = 1; amount <= 5; amount++)
      await world.api.updateDeal({ params: { id }, body: { deal: { amount } } });
    return () => world.api.listHistory({ params: { record_type: 'deals', record_id: id } });
  },

  /** Not the first of its account, which also stores the first pipeline. */
  createDeal: async (world, run) => {
    await newDeal(world, run);
    return () => world.api.createDeal({ body: { deal: { name: `Bench ${run}` } } });
  },
  listDeals: simply(({ api }) => api.listDeals({ query: { slice: 'open' } })),
  countDeals: simply(({ api }) => api.countDeals({ query: { slice: 'open' } })),
  retrieveDeal: async (world, run) => {
    const params = { id: await newDeal(world, run) };
    return () => world.api.retrieveDeal({ params });
  },
  updateDeal: async (world, run) => {
    const params = { id: await newDeal(world, run) };
    const { pipelines } = (await world.api.listPipelines()).body;
    const pipeline = pipelines.find((each) => each.default);
    const deal = { stage_id: pipeline?.stages[1]?.id };
    return () => world.api.updateDeal({ params, body: { deal } });
  },
  listStageHistory: async (world, run) => {
    const params = { deal_id: await newDeal(world, run) };
    return () => world.api.listStageHistory({ params });
  },
  deleteDeal: async (world, run) => {
    const params = { id: await newDeal(world, run) };
    return () => world.api.deleteDeal({ params });
  },

  createTask:
    ({ api, contact_id }, run) =>
    () =>
      api.createTask({ body: { task: { name: `Bench ${run}`, contact_ids: [contact_id] } } }),
  listTasks: simply(({ api }) => api.listTasks({ query: { slice: 'open' } })),
  countTasks: simply(({ api }) => api.countTasks({ query: { slice: 'open' } })),
  retrieveTask: async (world, run) => {
    const params = { id: await newTask(world, run) };
    return () => world.api.retrieveTask({ params });
  },
  updateTask: async (world, run) => {
    const params = { id: await newTask(world, run) };
    return () => world.api.updateTask({ params, body: { task: { priority: 'high' } } });
  },
  deleteTask: async (world, run) => {
    const params = { id: await newTask(world, run) };
    return () => world.api.deleteTask({ params });
  },
  completeTask: async (world, run) => {
    const params = { task_id: await newTask(world, run) };
    return () => world.api.completeTask({ params });
  },
  reopenTask: async (world, run) => {
    const params = { task_id: await newTask(world, run) };
    await world.api.completeTask({ params });
    return () => world.api.reopenTask({ params });
  },

  createMilestone:
    ({ api, contact_id }, run) =>
    () =>
      api.createMilestone({ body: { milestone: { name: `Bench ${run}`, contact_id } } }),
  listMilestones: simply(({ api }) => api.listMilestones()),
  retrieveMilestone: async (world, run) => {
    const params = { id: await newMilestone(world, run) };
    return () => world.api.retrieveMilestone({ params });
  },
  updateMilestone: async (world, run) => {
    const params = { id: await newMilestone(world, run) };
    return () => world.api.updateMilestone({ params, body: { milestone: { status: 'reached' } } });
  },
  deleteMilestone: async (world, run) => {
    const params = { id: await newMilestone(world, run) };
    return () => world.api.deleteMilestone({ params });
  },

  createSpace:
    ({ api }, run) =>
    () =>
      api.createSpace({ body: { space: { name: `Bench ${run}`, kind: 'records' } } }),
  listSpaces: simply(({ api }) => api.listSpaces()),
  retrieveSpace: async (world, run) => {
    const params = { id: await newSpace(world, run) };
    return () => world.api.retrieveSpace({ params });
  },
  updateSpace: async (world, run) => {
    const params = { id: await newSpace(world, run) };
    return () => world.api.updateSpace({ params, body: { space: { archived: true } } });
  },
  deleteSpace: async (world, run) => {
    const params = { id: await newSpace(world, run) };
    return () => world.api.deleteSpace({ params });
  },
  createSpaceMembership: async (world, run) => {
    const params = { space_id: await newSpace(world, run) };
    const body = { contact_id: await newContact(world, run) };
    return () => world.api.createSpaceMembership({ params, body });
  },
  deleteSpaceMembership: async (world, run) => {
    const params = { space_id: await newSpace(world, run) };
    const body = { contact_id: await newContact(world, run) };
    const { membership } = (await world.api.createSpaceMembership({ params, body })).body;
    return () => world.api.deleteSpaceMembership({ params: { ...params, id: membership.id } });
  },

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
  countContacts: simply(({ api }) => api.countContacts()),
  updateContact: async (world, run) => {
    const params = { id: await newContact(world, run) };
    return () => world.api.updateContact({ params, body: { contact: { headline: 'Analyst' } } });
  },
  enrichContact: async (world, run) => {
    const params = { contact_id: await newContact(world, run) };
    await turnOn(world, 'auto_enrich');
    return () => world.api.enrichContact({ params });
  },
  deleteContact: async (world, run) => {
    const params = { id: await newContact(world, run) };
    return () => world.api.deleteContact({ params });
  },
  pinContact: async (world, run) => {
    const params = { contact_id: await newContact(world, run) };
    return () => world.api.pinContact({ params });
  },
  unpinContact: async (world, run) => {
    const params = { contact_id: await newContact(world, run) };
    await world.api.pinContact({ params });
    return () => world.api.unpinContact({ params });
  },
  listDuplicates: async (world, run) => {
    const { contact_id } = await newPair(world, run);
    return () => world.api.listDuplicates({ params: { contact_id } });
  },
  dismissDuplicate: async (world, run) => {
    const { contact_id, id } = await newPair(world, run);
    return () => world.api.dismissDuplicate({ params: { contact_id, id } });
  },
  mergeDuplicate: async (world, run) => {
    const { contact_id, id } = await newPair(world, run);
    return () => world.api.mergeDuplicate({ params: { contact_id, id }, body: { merge: {} } });
  },
  mergeContacts: async (world, run) => {
    const { contact_id, other } = await newPair(world, run);
    const body = { contact_id_to_merge: other };
    return () => world.api.mergeContacts({ params: { contact_id }, body });
  },
  unmergeContacts: async (world, run) => {
    const { contact_id, other } = await newPair(world, run);
    const params = { contact_id };
    await world.api.mergeContacts({ params, body: { contact_id_to_merge: other } });
    await runRemovals({ ctx: contextOf(getServices(), allPorts), table: world.table });
    return () => world.api.unmergeContacts({ params, body: { contact_id_to_unmerge: other } });
  },
  createOrganization: (world, run) => () =>
    world.api.createOrganization({
      body: { organization: { name: `Bench ${run}`, domains: [`${run}.bench.example`] } },
    }),
  listOrganizations: simply(({ api }) => api.listOrganizations()),
  countOrganizations: simply(({ api }) => api.countOrganizations()),
  retrieveOrganization: async (world, run) => {
    const params = { id: await newOrganization(world, run) };
    return () => world.api.retrieveOrganization({ params });
  },
  updateOrganization: async (world, run) => {
    const params = { id: await newOrganization(world, run) };
    return () => world.api.updateOrganization({ params, body: { organization: { industry: 'Ships' } } });
  },
  deleteOrganization: async (world, run) => {
    const params = { id: await newOrganization(world, run) };
    return () => world.api.deleteOrganization({ params });
  },

  retrieveContact: simply(({ api, contact_id }) => api.retrieveContact({ params: { id: contact_id } })),

  listConversations: simply(({ api }) => api.listConversations({ query: { query: 'bench' } })),
  createConversation: (world) => () =>
    world.api.createConversation({
      body: { conversation: { title: 'Bench', record_type: 'thread', record_id: world.thread_id } },
    }),
  retrieveConversation: async (world) => {
    const params = { id: await newConversation(world) };
    return () => world.api.retrieveConversation({ params });
  },
  updateConversation: async (world) => {
    const params = { id: await newConversation(world) };
    return () => world.api.updateConversation({ params, body: { conversation: { title: 'Bench' } } });
  },
  /** With a question and its reply. */
  deleteConversation: async (world) => {
    const params = { id: await newConversation(world) };
    await newMessage(world, params.id);
    return () => world.api.deleteConversation({ params });
  },
  createMessage: async (world) => {
    const params = { conversation_id: await newConversation(world) };
    return () => world.api.createMessage({ params, body: { message: { text: 'And on Friday?' } } });
  },
  /** From before a message: the slowest case. */
  listMessages: async (world) => {
    const params = { conversation_id: await newConversation(world) };
    for (let i = 0; i < 2; i++) await newMessage(world, params.conversation_id);
    const before = await newMessage(world, params.conversation_id);
    return () => world.api.listMessages({ params, query: { before } });
  },

  retrieveMessage: async (world) => {
    const conversation_id = await newConversation(world);
    const id = await newMessage(world, conversation_id);
    return () => world.api.retrieveMessage({ params: { conversation_id, id } });
  },

  createOneTimeCode: (world, run) => () =>
    world.api.createOneTimeCode({ body: { email_address: `${run}@bench.example` } }),

  retrieveHealth: simply(({ api }) => api.retrieveHealth()),
  retrieveDocs: simply(({ api }) => api.retrieveDocs()),
  retrieveDocsAsset: simply(({ api }) => api.retrieveDocsAsset({ params: { asset: 'swagger-ui.css' } })),
  retrieveApp: simply(({ api }) => api.retrieveApp()),
  retrieveOpenApi: simply(({ api }) => api.retrieveOpenApi()),

  createDraft: (world) => () => written(world),
  listDrafts: simply(({ api }) => api.listDrafts()),
  retrieveDraft: async (world) => {
    const params = { id: await newDraft(world) };
    return () => world.api.retrieveDraft({ params });
  },
  updateDraft: async (world) => {
    const params = { id: await newDraft(world) };
    return () => world.api.updateDraft({ params, body: { draft: { subject: 'Bench' } } });
  },
  deleteDraft: async (world) => {
    const params = { id: await newDraft(world) };
    return () => world.api.deleteDraft({ params });
  },
  sendDraft: async (world) => {
    const params = { draft_id: await sendableDraft(world) };
    return () => world.api.sendDraft({ params, body: { send_at: 'month' } });
  },
  cancelDraft: async (world) => {
    const params = { draft_id: await sendableDraft(world) };
    await world.api.sendDraft({ params, body: { send_at: 'month' } });
    return () => world.api.cancelDraft({ params });
  },
  attachToDraft: async (world, run) => {
    const params = { draft_id: await newDraft(world) };
    const upload_id = await uploaded(world, run);
    return () => world.api.attachToDraft({ params, body: { attachment: { upload_id } } });
  },
  detachFromDraft: async (world, run) => {
    const draft_id = await newDraft(world);
    const attachment = { upload_id: await uploaded(world, run) };
    const { draft } = (await world.api.attachToDraft({ params: { draft_id }, body: { attachment } })).body;
    const params = { draft_id, id: draft.attachments[0]?.id ?? '' };
    return () => world.api.detachFromDraft({ params });
  },

  createFile: async (world, run) => {
    const upload_id = await uploaded(world, run);
    return () => world.api.createFile({ body: { file: { upload_id, contact_ids: [world.contact_id] } } });
  },
  listFiles: simply(({ api }) => api.listFiles()),
  countFiles: simply(({ api }) => api.countFiles()),
  retrieveFile: async (world, run) => {
    const params = { id: await newFile(world, run) };
    return () => world.api.retrieveFile({ params });
  },
  updateFile: async (world, run) => {
    const params = { id: await newFile(world, run) };
    return () => world.api.updateFile({ params, body: { file: { name: `Bench ${run}` } } });
  },
  deleteFile: async (world, run) => {
    const params = { id: await newFile(world, run) };
    return () => world.api.deleteFile({ params });
  },
  createFilePresignedUrl: async (world, run) => {
    const params = { file_id: await newFile(world, run) };
    return () => world.api.createFilePresignedUrl({ params });
  },
  /** With an attachment: what takes longest. */
  downloadFile: async (world, run) => {
    const { id, file_id } = await attached(world, run);
    return () => world.api.downloadFile({ params: { file_id }, query: { attachment_id: id } });
  },

  downloadAvatar: async (world, run) => {
    const upload = await uploaded(world, run, 'image/png');
    const { id } = (await world.api.retrieveCurrentUser()).body.user;
    const body = { user: { avatar_upload_id: upload } };
    const { avatar_url } = (await world.api.updateUser({ params: { id }, body })).body.user;
    const [, account_id = '', avatar_id = ''] = /accounts\/(.+)\/avatars\/(.+)$/.exec(avatar_url ?? '') ?? [];
    return () => world.api.downloadAvatar({ params: { id: account_id, avatar_id } });
  },

  listGroups: simply(({ api }) => api.listGroups()),
  /** With a key and a user, which makes the most calls. */
  createGroup: (world, run) => () =>
    world.api.createGroup({
      headers: { 'Idempotency-Key': run },
      body: { group: { name: `Bench ${run}`, user_ids: [world.colleague_id] } },
    }),
  retrieveGroup: async (world, run) => {
    const id = await newGroup(world, run);
    return () => world.api.retrieveGroup({ params: { id } });
  },
  updateGroup: async (world, run) => {
    const id = await newGroup(world, run);
    const group = { name: `Bench again ${run}`, user_ids: [] };
    return () => world.api.updateGroup({ params: { id }, body: { group } });
  },
  deleteGroup: async (world, run) => {
    const id = await newGroup(world, run);
    return () => world.api.deleteGroup({ params: { id } });
  },
  createMembership: async (world, run) => {
    const group_id = await newGroup(world, run);
    const { user } = (await world.api.retrieveCurrentUser()).body;
    return () => world.api.createMembership({ params: { group_id }, body: { user_id: user.id } });
  },
  deleteMembership: async (world, run) => {
    const params = { group_id: await newGroup(world, run), user_id: world.colleague_id };
    return () => world.api.deleteMembership({ params });
  },

  listCustomFields: simply(({ api }) => api.listCustomFields()),
  /** With a key, and for a type whose records are few. */
  createCustomField: (world, run) => () =>
    world.api.createCustomField({
      headers: { 'Idempotency-Key': run },
      body: { custom_field: { record_type: 'organizations', key: run, name: 'Bench', type: 'text' } },
    }),
  retrieveCustomField: async (world, run) => {
    const id = await aCustomField(world, run);
    return () => world.api.retrieveCustomField({ params: { id } });
  },
  updateCustomField: async (world, run) => {
    const id = await aCustomField(world, run);
    return () => world.api.updateCustomField({ params: { id }, body: { custom_field: { name: 'Again' } } });
  },
  deleteCustomField: async (world, run) => {
    const id = await aCustomField(world, run);
    return () => world.api.deleteCustomField({ params: { id } });
  },

  listPipelines: simply(({ api }) => api.listPipelines()),
  /** With a key, which makes the most calls. */
  createPipeline: (world, run) => () =>
    world.api.createPipeline({
      headers: { 'Idempotency-Key': run },
      body: { pipeline: { name: `Bench ${run}` } },
    }),
  retrievePipeline: async (world, run) => {
    const { id } = await aPipeline(world, run);
    return () => world.api.retrievePipeline({ params: { id } });
  },
  updatePipeline: async (world, run) => {
    const { id } = await aPipeline(world, run);
    const pipeline = { name: `Bench again ${run}`, position: 0 };
    return () => world.api.updatePipeline({ params: { id }, body: { pipeline } });
  },
  deletePipeline: async (world, run) => {
    const { id } = await aPipeline(world, run);
    return () => world.api.deletePipeline({ params: { id } });
  },
  createStage: async (world, run) => {
    const { id: pipeline_id } = await aPipeline(world, run);
    return () => world.api.createStage({ params: { pipeline_id }, body: { stage: { name: 'Bench' } } });
  },
  updateStage: async (world, run) => {
    const { id: pipeline_id, stages } = await aPipeline(world, run);
    const params = { pipeline_id, id: stages[0]?.id ?? '' };
    return () => world.api.updateStage({ params, body: { stage: { name: 'Bench', position: 2 } } });
  },
  deleteStage: async (world, run) => {
    const { id: pipeline_id, stages } = await aPipeline(world, run);
    const params = { pipeline_id, id: stages[0]?.id ?? '' };
    return () => world.api.deleteStage({ params, body: {} });
  },

  createMailImport: async (world, run) => {
    const upload_id = await uploaded(world, run);
    const params = { mailbox_id: world.mailbox_id };
    return () => world.api.createMailImport({ params, body: { import: { upload_id } } });
  },
  retrieveMailImport: async (world, run) => {
    const params = { mailbox_id: world.mailbox_id, id: await imported(world, run) };
    return () => world.api.retrieveMailImport({ params });
  },
  listMailImports: async (world, run) => {
    await imported(world, run);
    return () => world.api.listMailImports({ params: { mailbox_id: world.mailbox_id } });
  },
  createImport: async (world, run) => {
    const upload_id = await uploadedTable(world, run);
    return () => world.api.createImport({ body: { import: { upload_id, record_type: 'contacts' } } });
  },
  retrieveImport: async (world, run) => {
    const params = { id: await tried(world, run) };
    return () => world.api.retrieveImport({ params });
  },
  listImports: async (world, run) => {
    await tried(world, run);
    return () => world.api.listImports();
  },
  listImportRows: async (world, run) => {
    const params = { import_id: await tried(world, run) };
    return () => world.api.listImportRows({ params });
  },
  applyImport: async (world, run) => {
    const params = { import_id: await triedToItsEnd(world, run) };
    return () => world.api.applyImport({ params, body: {} });
  },
  createExport: simply(({ api }) => api.createExport({ body: { export: TABLE } })),
  retrieveExport: async ({ api }) => {
    const params = { id: (await api.createExport({ body: { export: TABLE } })).body.export.id };
    return () => api.retrieveExport({ params });
  },
  listExports: simply(({ api }) => api.listExports()),

  createMailbox: async ({ session }, run) => {
    const mailbox = await mailboxAtServers(run);
    return () => session.createMailbox({ body: { mailbox } });
  },
  createMailboxAuthorization: async ({ session, base_url }) => {
    const provider = await startMailProvider({ ctx: getServices() });
    provider.unref();
    const authorization = { provider: 'gmail' as const, redirect_url: `${base_url}/connected` };
    return () => session.createMailboxAuthorization({ body: { authorization } });
  },
  listMailboxes: simply(({ api }) => api.listMailboxes()),
  updateMailbox: async ({ api, mailbox_id }, run) => {
    const body = { mailbox: { name: `Mail ${run}` } };
    return () => api.updateMailbox({ params: { id: mailbox_id }, body });
  },
  retrieveMailbox: simply(({ api, mailbox_id }) => api.retrieveMailbox({ params: { id: mailbox_id } })),

  deleteMailbox: async (world) => {
    const { user } = (await world.api.retrieveCurrentUser()).body;
    const draft = { user_id: user.id, email_address: user.email_address, name: 'Bench' };
    const mailbox = { ...draft, account_id: await accountOf(world) };
    const { id } = await createMailbox(world.table, mailbox, new Date());
    return () => world.session.deleteMailbox({ params: { id } });
  },
  updateMailboxCredentials: async ({ session, mailbox_id: id }) => {
    const caldav = await calendarServer();
    return () => session.updateMailboxCredentials({ params: { id }, body: { mailbox: { caldav } } });
  },
  syncMailbox: async (world) => {
    const params = { mailbox_id: await connectedMailbox(world) };
    return () => world.api.syncMailbox({ params, body: {} });
  },
  retrieveSyncReport: simply(({ api, mailbox_id }) => api.retrieveSyncReport({ params: { mailbox_id } })),

  listNotifications: simply(({ api }) => api.listNotifications()),
  countNotifications: simply(({ api }) => api.countNotifications()),
  /** With one that was marked unread since the last time: the slowest case. */
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
  dismissNotification: async ({ api, notification_id }) => {
    const params = { id: notification_id };
    await api.undismissNotification({ params });
    return () => api.dismissNotification({ params });
  },
  dismissNotifications: async ({ api, notification_id }) => {
    await api.undismissNotification({ params: { id: notification_id } });
    return () => api.dismissNotifications({ body: { ids: [notification_id] } });
  },
  undismissNotification: async ({ api, notification_id }) => {
    const params = { id: notification_id };
    await api.dismissNotification({ params });
    return () => api.undismissNotification({ params });
  },

  listProposals: async (world, run) => {
    await newProposal(world, run);
    return () => world.api.listProposals();
  },
  retrieveProposal: async (world, run) => {
    const id = await newProposal(world, run);
    return () => world.api.retrieveProposal({ params: { id } });
  },
  acceptProposal: async (world, run) => {
    const proposal_id = await newProposal(world, run);
    return () => world.api.acceptProposal({ params: { proposal_id }, body: {} });
  },
  rejectProposal: async (world, run) => {
    const proposal_id = await newProposal(world, run);
    return () => world.api.rejectProposal({ params: { proposal_id }, body: {} });
  },
  undoProposal: async (world, run) => {
    const proposal_id = await newProposal(world, run);
    await world.api.acceptProposal({ params: { proposal_id }, body: {} });
    return () => world.api.undoProposal({ params: { proposal_id } });
  },
  /** One of them. */
  resolveProposals: async (world, run) => {
    const ids = [await newProposal(world, run)];
    return () => world.api.resolveProposals({ body: { ids, action: 'accept' } });
  },

  createTag: (world, run) => () => world.api.createTag({ body: { tag: { name: `Bench ${run}` } } }),
  listTags: simply(({ api }) => api.listTags()),
  retrieveTag: async (world, run) => {
    const id = await newTag(world, run);
    return () => world.api.retrieveTag({ params: { id } });
  },
  /** To another name: the slowest case. */
  updateTag: async (world, run) => {
    const params = { id: await newTag(world, run) };
    return () => world.api.updateTag({ params, body: { tag: { name: `Bench ${run} renamed` } } });
  },
  deleteTag: async (world, run) => {
    const params = { id: await newTag(world, run) };
    const replacement_tag_id = await newTag(world, `${run} replacement`);
    return () => world.api.deleteTag({ params, body: { replacement_tag_id } });
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
  countThreads: simply(({ api }) => api.countThreads()),
  listOpenThreads: simply(({ api }) => api.listOpenThreads()),
  retrieveThread: simply(({ api, thread_id }) => api.retrieveThread({ params: { id: thread_id } })),
  flagThread: stateCase('unflagThread', 'flagThread'),
  unflagThread: stateCase('flagThread', 'unflagThread'),
  markThreadRead: stateCase('markThreadUnread', 'markThreadRead'),
  markThreadUnread: stateCase('markThreadRead', 'markThreadUnread'),
  resolveThread: stateCase('reopenThread', 'resolveThread'),
  reopenThread: stateCase('resolveThread', 'reopenThread'),
  snoozeThread: async ({ api, thread_id }) => {
    const params = { thread_id };
    await api.unsnoozeThread({ params });
    return () => api.snoozeThread({ params, body: { snooze_until: 'week' } });
  },
  unsnoozeThread: async ({ api, thread_id }) => {
    const params = { thread_id };
    await api.snoozeThread({ params, body: { snooze_until: 'week' } });
    return () => api.unsnoozeThread({ params });
  },

  createShare: async (world) => {
    const { shares } = (await world.api.listShares({ params: onMailbox(world) })).body;
    for (const { id } of shares) await world.api.deleteShare({ params: { ...onMailbox(world), id } });
    return () =>
      world.api.createShare({ params: onMailbox(world), body: { share: { user_id: world.colleague_id } } });
  },
  deleteShare: async (world) => {
    const id = await shared(world);
    return () => world.api.deleteShare({ params: { ...onMailbox(world), id } });
  },
  approveShareRequest: async (world) => {
    const { shares } = (await world.api.listShares({ params: onThread(world) })).body;
    const given = shares.filter(
      ({ user_id, source }) => user_id === world.colleague_id && source !== 'mailbox',
    );
    for (const { id } of given) await world.api.deleteShare({ params: { ...onThread(world), id } });
    const params = { share_request_id: await givenRequest(world, 'colleague') };
    return () => world.api.approveShareRequest({ params, body: {} });
  },
  createShareRequest: async (world) => {
    const share_request = { record_type: 'thread' as const, record_id: await hiddenThread(world) };
    return () => world.api.createShareRequest({ body: { share_request } });
  },
  deleteShareRequest: async (world) => {
    const id = await givenRequest(world, 'own');
    return () => world.api.deleteShareRequest({ params: { id } });
  },
  denyShareRequest: async (world) => {
    const params = { share_request_id: await givenRequest(world, 'colleague') };
    return () => world.api.denyShareRequest({ params });
  },
  listShareRequests: simply(({ api }) => api.listShareRequests()),
  retrieveShareRequest: async (world) => {
    const id = await givenRequest(world, 'colleague');
    return () => world.api.retrieveShareRequest({ params: { id } });
  },
  listShares: simply((world) => world.api.listShares({ params: onMailbox(world) })),
  updateShare: async (world) => {
    const id = await shared(world);
    const params = { ...onMailbox(world), id };
    return () => world.api.updateShare({ params, body: { share: { access: 'edit' } } });
  },

  createUpload: (world) => () =>
    world.api.createUpload({
      body: { upload: { file_name: 'bench.mbox', content_type: 'application/mbox', size: 1_000 } },
    }),

  retrieveUpload: async (world, run) => {
    const params = { id: await uploaded(world, run) };
    return () => world.api.retrieveUpload({ params });
  },
  deleteUpload: async (world, run) => {
    const params = { id: await uploaded(world, run) };
    return () => world.api.deleteUpload({ params });
  },

  createNotificationView: async ({ api, session }) => {
    const { user } = (await api.retrieveCurrentUser()).body;
    return () => session.createNotificationView({ params: { user_id: user.id } });
  },
  listUsers: simply(({ api }) => api.listUsers()),
  retrieveCurrentUser: simply(({ api }) => api.retrieveCurrentUser()),
};

const onMailbox = ({ mailbox_id }: World) => ({ record_type: 'mailboxes' as const, record_id: mailbox_id });

/** The share of the mailbox with a colleague. */
async function shared(world: World): Promise<string> {
  const share = { user_id: world.colleague_id };
  return (await world.api.createShare({ params: onMailbox(world), body: { share } })).body.share.id;
}

type StateOperation =
  | 'flagThread'
  | 'unflagThread'
  | 'markThreadRead'
  | 'markThreadUnread'
  | 'resolveThread'
  | 'reopenThread';

function stateCase(undo: StateOperation, operation: StateOperation): Case {
  return async ({ api, thread_id }) => {
    const params = { thread_id };
    await api[undo]({ params });
    return () => api[operation]({ params });
  };
}

/** The case of an operation; throws without one, so that every operation is measured. */
export function caseOf(operation: string): Case {
  const found = cases[operation];
  if (!found) throw new Error(`Operation ${operation} has no case in test/bench/cases.ts`);
  return found;
}

/** The world stays as it is before the call. */
export const preparesNothing = (operation: string): boolean => simple.has(caseOf(operation));
