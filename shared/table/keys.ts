import { hash } from 'node:crypto';

/** Every key of the table is built here, and nowhere else. */
export type Key = {
  PK: string;
  SK: string;
};

/** The key of an item that was read. */
export const keyOf = ({ PK, SK }: Key): Key => ({ PK, SK });

/** A key as text, for looking items up by it. */
export const nameOfKey = ({ PK, SK }: Key): string => `${PK} ${SK}`;

export type RecordType =
  | 'contacts'
  | 'organizations'
  | 'deals'
  | 'threads'
  | 'files'
  | 'calendar_events'
  | 'spaces'
  | 'tasks'
  | 'milestones'
  | 'mailboxes';

/** Records that threads belong to by addresses. */
export type ThreadOwner = 'organizations' | 'spaces';

const sha256 = (text: string) => hash('sha256', text);

/** UIDs have 32 bits (RFC 9051, 2.3.1.1). */
const paddedUid = (uid: number) => String(uid).padStart(10, '0');

export const keys = {
  account: (account: string): Key => ({ PK: `ACCOUNT#${account}`, SK: 'META' }),
  user: (account: string, user: string): Key => ({ PK: `ACCOUNT#${account}`, SK: `USER#${user}` }),
  /** Whose an email address is, in the whole service. `address` is lower case. */
  login: (address: string): Key => ({ PK: `LOGIN#${sha256(address)}`, SK: 'USER' }),
  /** The open invitation of an account to an email address. `address` is lower case. */
  invitation: (address: string, account: string): Key => ({
    PK: `LOGIN#${sha256(address)}`,
    SK: `INVITATION#${account}`,
  }),
  /** Sessions are under their user; ended ones stay until their time to live. */
  session: (user: string, session: string): Key => ({ PK: `SESSIONS#${user}`, SK: `SESSION#${session}` }),
  mailbox: (account: string, mailbox: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `MAILBOX#${mailbox}`,
  }),
  tag: (account: string, tag: string): Key => ({ PK: `ACCOUNT#${account}`, SK: `TAG#${tag}` }),
  /** Reserves a tag name for one tag. `name` is folded. */
  tagName: (account: string, name: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `TAGNAME#${sha256(name)}`,
  }),
  /** Reserves the address of a connected mailbox. `address` is in lower case. */
  mailboxAddress: (account: string, address: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `MAILBOXADDRESS#${sha256(address)}`,
  }),
  group: (account: string, group: string): Key => ({ PK: `ACCOUNT#${account}`, SK: `GROUP#${group}` }),
  /** Reserves a group name for one group. `name` is folded. */
  groupName: (account: string, name: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `GROUPNAME#${sha256(name)}`,
  }),
  /** The order of an account's pipelines: before all of them. */
  pipelineOrder: (account: string): Key => ({ PK: `PIPELINES#${account}`, SK: 'ORDER' }),
  pipeline: (account: string, pipeline: string): Key => ({
    PK: `PIPELINES#${account}`,
    SK: `PIPELINE#${pipeline}`,
  }),
  /** The number of deals in a stage. */
  stageDeals: (account: string, pipeline: string, stage: string): Key => ({
    PK: `PIPELINES#${account}`,
    SK: `STAGE#${pipeline}#${stage}`,
  }),
  /** Under a stage, a deal in it. */
  stageDeal: (stage: string, deal: string): Key => ({ PK: `STAGE#${stage}`, SK: `DEAL#${deal}` }),
  /** Reserves a pipeline name for one pipeline. `name` is folded. */
  pipelineName: (account: string, name: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `PIPELINENAME#${sha256(name)}`,
  }),
  /** Under a user, how the user shows a calendar. */
  calendarSubscription: (user: string, subscription: string): Key => ({
    PK: `USER#${user}`,
    SK: `CALENDARSUBSCRIPTION#${subscription}`,
  }),
  /** Under a user or an account, how often one of what is limited was added. */
  additions: (user: string, what: 'api_keys' | 'followed' | 'pins' | 'share_requests'): Key => ({
    PK: `USER#${user}`,
    SK: `ADDITIONS#${what}`,
  }),
  accountAdditions: (account: string, what: 'space_members' | 'tags'): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `ADDITIONS#${what}`,
  }),
  /** What was changed of a calendar. */
  calendar: (account: string, calendar: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `CALENDAR#${calendar}`,
  }),
  /** A resource of a calendar at a server, by its address. */
  serverResource: (calendar: string, url: string): Key => ({
    PK: `CALENDARSERVER#${calendar}`,
    SK: `RESOURCE#${sha256(url)}`,
  }),
  /** An event, or a series, that changed here and is not at the server yet. */
  owedEvent: (mailbox: string, event: string): Key => ({
    PK: `OWEDEVENTS#${mailbox}`,
    SK: `EVENT#${event}`,
  }),
  /** What the service knows of the folders of a mailbox at its server. */
  mailFolder: (mailbox: string, folder: string): Key => ({
    PK: `MAILFOLDERS#${mailbox}`,
    SK: `FOLDER#${folder}`,
  }),
  /** A part of a `sync_report`. */
  mailReport: (mailbox: string, report: string, part: number): Key => ({
    PK: `MAILFOLDERS#${mailbox}`,
    SK: `REPORT#${report}#${String(part).padStart(4, '0')}`,
  }),
  /** Who has the session at the server of a mailbox in which labels and copies are written. */
  mailSession: (mailbox: string): Key => ({ PK: `MAILFOLDERS#${mailbox}`, SK: 'SESSION' }),
  /** A copy of a message in a folder at a server, by its UID. */
  mailCopy: (folder: string, uidvalidity: string, uid: number): Key => ({
    PK: `MAILFOLDER#${folder}`,
    SK: `COPY#${uidvalidity}#${paddedUid(uid)}`,
  }),
  /** The same copy, by the message: those of one message are together. */
  mailCopyOf: (mailbox: string, message: string, folder: string, uidvalidity: string, uid: number): Key => ({
    PK: `MAILCOPIES#${mailbox}`,
    SK: `MESSAGE#${message}#${folder}#${uidvalidity}#${paddedUid(uid)}`,
  }),
  /** A user's draft that is not sent. */
  draft: (user: string, draft: string): Key => ({ PK: `USER#${user}`, SK: `DRAFT#${draft}` }),
  /** A draft that was sent, for some time. */
  sentDraft: (user: string, draft: string): Key => ({ PK: `USER#${user}`, SK: `SENTDRAFT#${draft}` }),
  /** An answer that is being sent, until its copy is there. */
  pendingDraft: (user: string, draft: string): Key => ({ PK: `USER#${user}`, SK: `UNDERWAY#${draft}` }),
  /** The briefing of a user for a day: the days of a user sort by date. */
  dailyBriefing: (user: string, date: string): Key => ({ PK: `USER#${user}`, SK: `DAILYBRIEFING#${date}` }),
  /** The first event of a meeting that came from files, by a hash of UID, organizer and start. */
  meeting: (account: string, hash: string): Key => ({ PK: `MEETING#${account}#${hash}`, SK: 'FIRST' }),
  agentConfiguration: (account: string, slug: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `AGENT#${slug}`,
  }),
  /** What the groups of an account have access to. */
  groupAccess: (account: string): Key => ({ PK: `ACCOUNT#${account}`, SK: 'ACCESS' }),
  recordCount: (account: string, type: RecordType): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `COUNT#${type}`,
  }),
  /** The row of a key in the account's list of keys. */
  apiKeyRow: (account: string, apiKey: string): Key => ({ PK: `ACCOUNT#${account}`, SK: `APIKEY#${apiKey}` }),
  /** The contacts that have an email address. `address` is lower case. */
  emailAddress: (account: string, address: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `EMAIL#${sha256(address)}`,
  }),
  /** The organizations that have a domain, in ASCII and lower case. */
  domain: (account: string, domain: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `DOMAIN#${sha256(domain)}`,
  }),
  /** The organizations that have a name. `name` is folded. */
  organizationName: (account: string, name: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `ORGANIZATIONNAME#${sha256(name)}`,
  }),
  /** What became of an address in mail: a contact, or nothing. `address` is lower case. */
  addressInMail: (account: string, address: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `${ADDRESS_IN_MAIL}${sha256(address)}`,
  }),
  /** A domain in mail that has, or had, an organization. */
  domainInMail: (account: string, domain: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `MAILDOMAIN#${sha256(domain)}`,
  }),
  /** What the mail of a mailbox says about an address, which is lower case. */
  acquaintance: (mailbox: string, address: string): Key => ({
    PK: `ACQUAINTANCES#${mailbox}`,
    SK: sha256(address),
  }),
  /** What the custom fields of a record type are. */
  customFields: (account: string, type: RecordType): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `CUSTOMFIELDS#${type}`,
  }),
  /** Reserves a value of a unique custom field for one record. */
  customValue: (account: string, field: string, value: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `CUSTOMVALUE#${field}#${sha256(value)}`,
  }),
  /** When mailboxes had mail with an address, which is lower case. */
  lastMail: (account: string, address: string): Key => ({
    PK: `LASTMAIL#${account}#${sha256(address)}`,
    SK: 'META',
  }),
  /** Reserves an integration's own id for one record of a type. */
  externalId: (account: string, type: RecordType, external: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `EXTERNAL#${type}#${sha256(external)}`,
  }),

  /** A closed account, in the list by when it is erased; a moment in milliseconds. */
  closedAccount: (at: number, account: string): Key => ({
    PK: 'CLOSED',
    SK: `AT#${timeRank(at)}#${account}`,
  }),
  /** That an account was erased: whoever knows its id finds this, and nobody finds its id here. */
  erasedAccount: (account: string): Key => ({ PK: 'ERASED', SK: `ACCOUNT#${sha256(account)}` }),

  /** Before all audit events of an account, and one by its id, which sorts by time. */
  auditEvent: (account: string, event: string): Key => ({ PK: `AUDIT#${account}`, SK: `EVENT#${event}` }),

  /** The assistant's usage of an account in one month, `2026-11`. */
  assistantUsage: (account: string, month: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `USAGE#${month}`,
  }),

  /** That a user accepted a version of a document; with nothing else, before all of the user. */
  termsAssent: (user: string, slug: string, version: string): Key => ({
    PK: `TERMS#${user}`,
    SK: `ASSENT#${sha256(JSON.stringify([slug, version]))}`,
  }),
  /** A credential by the SHA-256 of its secret. */
  credential: (hash: string): Key => ({ PK: `KEY#${hash}`, SK: 'KEY' }),
  /** Someone who waits for an invitation. `address` is lower case. */
  waitlistee: (address: string): Key => ({ PK: 'WAITLIST', SK: `ADDRESS#${sha256(address)}` }),
  /** An invitation to sign up by the SHA-256 of its token. */
  signupInvitation: (hash: string): Key => ({ PK: `SIGNUP#${hash}`, SK: 'META' }),
  /** A device by the hash of its token. */
  deviceToken: (device: string): Key => ({ PK: `DEVICE#${device}`, SK: 'META' }),
  /** An authorization by a provider, by the digest of its state. */
  authorization: (state: string): Key => ({ PK: `AUTHORIZATION#${sha256(state)}`, SK: 'META' }),
  /** Whom an issuer means by a subject. */
  identity: (issuer: string, subject: string): Key => ({
    PK: `IDENTITY#${sha256(JSON.stringify([issuer, subject]))}`,
    SK: 'USER',
  }),
  /** A ticket to open a socket, by the SHA-256 of its text. */
  socketTicket: (hash: string): Key => ({ PK: `SOCKETTICKET#${hash}`, SK: 'META' }),
  /** An open socket, in the list of its account: those of a user are together. */
  socket: (account: string, user: string, connection: string): Key => ({
    PK: `SOCKETS#${account}`,
    SK: `SOCKET#${user}#${connection}`,
  }),
  /** The account of a user who has sockets, or had some lately. */
  socketUser: (user: string): Key => ({ PK: `SOCKETS#${user}`, SK: 'USER' }),
  /** The same socket by the id of its connection, in a list of all sockets of the service. */
  socketPlace: (connection: string): Key => ({
    PK: keys.socketShard(Number.parseInt(sha256(connection).slice(-1), 16) % SOCKET_SHARDS).PK,
    SK: `SOCKET#${connection}`,
  }),
  socketShard: (shard: number): Key => ({ PK: `SOCKETPLACES#${shard}`, SK: 'SOCKET#' }),
  /** The one-time codes of an address, which is lower case. */
  oneTimeCode: (address: string): Key => ({ PK: `CODE#${sha256(address)}`, SK: 'META' }),
  /** The request counters of a user in one hour, over all credentials. */
  userRate: (user: string, hour: number): Key => ({ PK: `RATE#${user}`, SK: `HOUR#${hour}` }),

  /** How often somebody, such as a network, did something in one period. */
  hourlyRate: (what: string, subject: string, period: number): Key => ({
    PK: `RATE#${sha256(subject)}`,
    SK: `${what}#${period}`,
  }),
  /** How often a user started work of the assistant in one hour. */
  questionRate: (user: string, hour: number): Key => ({ PK: `RATE#${user}`, SK: `QUESTIONS#${hour}` }),

  /** An `Idempotency-Key` of a user on one path. */
  idempotency: (user: string, path: string, key: string): Key => ({
    PK: `IDEMPOTENCY#${user}`,
    SK: `KEY#${sha256(JSON.stringify([path, key]))}`,
  }),

  /** Conversations are under their user: nobody else can find them. */
  conversation: (user: string, conversation: string): Key => ({
    PK: `CONVERSATIONS#${user}`,
    SK: `CONVERSATION#${conversation}`,
  }),
  conversationMessage: (conversation: string, message: string): Key => ({
    PK: `CONVERSATION#${conversation}`,
    SK: `MESSAGE#${message}`,
  }),

  /** A user's own state and view of a thread. */
  threadEntry: (user: string, thread: string): Key => ({ PK: `USER#${user}`, SK: `THREAD#${thread}` }),
  /**
   * A posting in a list of a user, an account or a mailbox. `rank` orders the list and names the record. It begins with an ASCII
   * letter or digit, and contains no character above `~`.
   */
  posting: (owner: string, list: string, rank: string): Key => ({ PK: `LIST#${owner}#${list}`, SK: rank }),
  /** An address in the list of a mailbox by the last mail with it; a moment in milliseconds. */
  lastMailPosting: (mailbox: string, moment: number, address: string): Key =>
    keys.posting(mailbox, LAST_MAIL, `${timeRank(moment)}#${sha256(address)}`),
  /** The number of records in a list of an owner, or a share of it. */
  listCount: (owner: string, type: RecordType, list: string, share = ''): Key => ({
    PK: `LIST#${owner}#${type}:${list}`,
    SK: `COUNT${share}`,
  }),
  /** The same by a day of theirs: the counts of the months of a year, and of the days of a month (`2026-11`). */
  listYear: (owner: string, type: RecordType, list: string, year: string): Key => ({
    PK: keys.listCount(owner, type, list).PK,
    SK: `YEAR#${year}`,
  }),
  listMonth: (owner: string, type: RecordType, list: string, month: string): Key => ({
    PK: keys.listCount(owner, type, list).PK,
    SK: `MONTH#${month}`,
  }),
  /** The records of a list in short, a part of them by its character. `list` names the list to its end. */
  packedList: (owner: string, type: RecordType, list: string, part: string): Key => ({
    PK: `LIST#${owner}#${type}:packed`,
    SK: `${list}#${part}`,
  }),
  /** A sum of records in the lists of an owner. */
  listSum: (owner: string, type: RecordType, name: string): Key => ({
    PK: `LIST#${owner}#${type}:sums`,
    SK: `SUM#${name}`,
  }),
  /** Under an organization or a space, a record that belongs to it: threads are its by that record's addresses. */
  ownerRow: (owner: ThreadOwner, id: string, member: string): Key => ({
    PK: `OWNER#${owner}#${id}`,
    SK: member,
  }),
  /** A space that is made of tags. */
  taggedSpace: (account: string, space: string): Key => ({
    PK: `ACCOUNT#${account}`,
    SK: `TAGGEDSPACE#${space}`,
  }),

  /** An index of texts: documents that are not sorted yet, its state right behind them, and its segments. `word` is folded. */
  textIndex: (owner: string): Key => ({ PK: `TEXTS#${owner}`, SK: 'LOG~' }),
  textLog: (owner: string, doc: string): Key => ({ PK: `TEXTS#${owner}`, SK: `LOG#${doc}` }),
  /** A document that was taken out, and may be in segments. */
  textGone: (owner: string, doc: string): Key => ({ PK: `TEXTS#${owner}`, SK: `GONE#${doc}` }),
  /** Documents of a segment that earlier ones have, too; without one, before those of all segments. */
  textStale: (owner: string, segment = ''): Key => ({ PK: `TEXTS#${owner}`, SK: `STALE#${segment}` }),
  textSegment: (owner: string, segment: string): Key => ({ PK: `TEXTS#${owner}`, SK: `SEGMENT#${segment}#` }),
  textDocs: (owner: string, segment: string, page: number): Key => ({
    PK: `TEXTS#${owner}`,
    SK: `SEGMENT#${segment}#DOCS#${String(page).padStart(6, '0')}`,
  }),
  textBlocks: (owner: string, segment: string): Key => ({
    PK: `TEXTS#${owner}`,
    SK: `SEGMENT#${segment}#WORDS#`,
  }),
  textBlock: (owner: string, segment: string, word: string, number: number): Key => ({
    PK: `TEXTS#${owner}`,
    SK: `SEGMENT#${segment}#WORDS#${word}#${String(number).padStart(8, '0')}`,
  }),

  record: (type: RecordType, id: string): Key => ({ PK: `RECORD#${type}#${id}`, SK: 'META' }),
  /** What a mailbox has of a thread. */
  mailboxView: (thread: string, mailbox: string): Key => ({
    PK: keys.record('threads', thread).PK,
    SK: `MAILBOX#${mailbox}`,
  }),
  /** The lists of an owner, a user or an account, that have the record. */
  listEntry: (type: RecordType, id: string, owner: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `LISTS#${owner}`,
  }),
  /** Under a record, another one that is linked to it. */
  linked: (type: RecordType, id: string, linked: RecordType, linked_id: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `LINKED#${linked}#${linked_id}`,
  }),
  /** Before all links that a deleted record lost, or those of one kind. */
  formerLinks: (type: RecordType, id: string, kind = ''): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: kind === '' ? 'FORMER#' : `FORMER#${kind}#`,
  }),
  /** Under a deleted record, another one that was linked to it. */
  formerLink: (type: RecordType, id: string, kind: string, linked: RecordType, linked_id: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `FORMER#${kind}#${linked}#${linked_id}`,
  }),
  /** An owner whose index of records had the record, and may have its words until it is sorted; without one, before all of them. */
  leftIndex: (type: RecordType, id: string, owner = ''): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `LEFTINDEX#${owner}`,
  }),
  /** Before all changes of a record. */
  history: (type: RecordType, id: string): Key => ({ PK: `RECORD#${type}#${id}`, SK: 'HISTORY#' }),
  /** Under a record, a change of it at a moment, in milliseconds. */
  historyEntry: (type: RecordType, id: string, moment: number, entry: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `HISTORY#${timeRank(moment)}#${entry}`,
  }),
  /** Before all that happened to a record. */
  activities: (type: RecordType, id: string): Key => ({ PK: `RECORD#${type}#${id}`, SK: 'ACTIVITY#' }),
  /** In the timeline of a record, what happened at a moment, in milliseconds. */
  activity: (type: RecordType, id: string, moment: number, activity: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `ACTIVITY#${timeRank(moment)}#${activity}`,
  }),
  /** Before all that happened in an account, or that a user did. */
  activitiesOf: (owner: string): Key => ({ PK: `ACTIVITIES#${owner}`, SK: 'ACTIVITY#' }),
  activityOf: (owner: string, moment: number, activity: string): Key => ({
    PK: `ACTIVITIES#${owner}`,
    SK: `ACTIVITY#${timeRank(moment)}#${activity}`,
  }),
  /** Before all moves of a deal. */
  stageMoves: (deal: string): Key => ({ PK: `RECORD#deals#${deal}`, SK: 'STAGEMOVE#' }),
  /** Under a deal, a move to a stage; a later move takes its place. */
  stageMove: (deal: string, place: number): Key => ({
    PK: `RECORD#deals#${deal}`,
    SK: `STAGEMOVE#${String(place).padStart(3, '0')}`,
  }),
  /** Under a contact, another one that users said is not the same person. */
  distinct: (contact: string, other: string): Key => ({
    PK: `RECORD#contacts#${contact}`,
    SK: `DISTINCT#${other}`,
  }),
  /** What two contacts were before the first one became part of the other. */
  keptMerge: (contact: string): Key => ({ PK: `MERGE#${contact}`, SK: 'KEPT' }),
  /** Under a contact, what its enrichment for a user came to. */
  enrichment: (contact: string, user: string): Key => ({
    PK: `RECORD#contacts#${contact}`,
    SK: `ENRICHMENT#${user}`,
  }),
  comment: (type: RecordType, id: string, comment: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `COMMENT#${comment}`,
  }),
  /** Content that does not fit in the comment's own item, right after it. */
  commentPart: (type: RecordType, id: string, comment: string, part: number): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `COMMENT#${comment}#PART#${String(part).padStart(2, '0')}`,
  }),
  /** After the comment's own item and its parts; its id sorts by time. */
  reaction: (type: RecordType, id: string, comment: string, reaction: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `COMMENT#${comment}#REACTION#${reaction}`,
  }),
  /** Names the author of a comment on a record. */
  commenter: (type: RecordType, id: string, user: string, comment: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `COMMENTER#${user}#${comment}`,
  }),
  /** The records shared with a group. */
  groupShare: (group: string, type: RecordType, id: string): Key => ({
    PK: `GROUP#${group}`,
    SK: `SHARE#${type}#${id}`,
  }),
  tagging: (type: RecordType, id: string, tag: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `TAGGING#${tag}`,
  }),
  /** Before all that agents chose for a thread. */
  offers: (thread: string): Key => ({ PK: `RECORD#threads#${thread}`, SK: 'OFFERED' }),
  /** A tag that an agent chose for a thread. */
  offeredTag: (thread: string, tag: string): Key => ({
    PK: `RECORD#threads#${thread}`,
    SK: `OFFERED#${tag}`,
  }),
  /** A deal that an agent proposed for a thread. */
  offeredDeal: (thread: string): Key => ({ PK: `RECORD#threads#${thread}`, SK: 'OFFEREDDEAL' }),
  /** What an agent found in a message. */
  look: (message: string, agent: string): Key => ({ PK: `LOOKS#${message}`, SK: agent }),
  /** `sent` is the send time in milliseconds. */
  message: (thread: string, sent: number, message: string): Key => ({
    PK: `RECORD#threads#${thread}`,
    SK: `MESSAGE#${timeRank(sent)}#${message}`,
  }),
  body: (thread: string, message: string): Key => ({ PK: `RECORD#threads#${thread}`, SK: `BODY#${message}` }),
  /** Before all parts of the transcripts of an event. */
  transcripts: (event: string): Key => ({ PK: `RECORD#calendar_events#${event}`, SK: 'TRANSCRIPT#' }),
  /** Of an event, in the order of the parts; each transcript has an id of its own. */
  transcriptPart: (event: string, transcript: string, part: number): Key => ({
    PK: `RECORD#calendar_events#${event}`,
    SK: `TRANSCRIPT#${transcript}#${String(part).padStart(3, '0')}`,
  }),
  /** The record of a comment. */
  commentPointer: (comment: string): Key => ({ PK: `COMMENT#${comment}`, SK: 'POINTER' }),
  /** A message by the hash of its RFC 5322 Message-ID, which several messages may claim. */
  messageId: (account: string, hash: string, message: string): Key => ({
    PK: `RFC#${account}#${hash}`,
    SK: `MESSAGE#${message}`,
  }),
  /** Where a message is, by its id. */
  messagePlace: (message: string): Key => ({ PK: `MESSAGE#${message}`, SK: 'META' }),
  /** A message that names a Message-ID as an ancestor's, and would follow a message that has it. */
  referrer: (account: string, hash: string, message: string): Key => ({
    PK: `RFC#${account}#${hash}`,
    SK: `REFERRER#${message}`,
  }),
  /** Where messages of a mailbox meet that descend from a message which is not in the mailbox. */
  awaited: (account: string, hash: string, mailbox: string): Key => ({
    PK: `RFC#${account}#${hash}`,
    SK: `AWAITED#${mailbox}`,
  }),

  notification: (user: string, notification: string): Key => ({
    PK: `NOTIFICATIONS#${user}`,
    SK: `EVENT#${notification}`,
  }),
  /** A moment, in milliseconds, at which a user marked all notifications read. */
  notificationsRead: (user: string, moment: number): Key => ({
    PK: `NOTIFICATIONS#${user}`,
    SK: `READ#${timeRank(moment)}`,
  }),
  /** A notification that was marked unread after the user marked all read at `moment`. */
  notificationUnread: (user: string, moment: number, notification: string): Key => ({
    PK: `NOTIFICATIONS#${user}`,
    SK: `UNREAD#${timeRank(moment)}#${notification}`,
  }),
  /** How far a user has seen and dismissed notifications. */
  notificationMarks: (user: string): Key => ({ PK: `NOTIFICATIONS#${user}`, SK: 'MARKS' }),
  /** A moment, in milliseconds, at which a user dismissed all notifications of an event, or `all` of them. */
  notificationsDismissed: (user: string, scope: string, moment: number): Key => ({
    PK: `NOTIFICATIONS#${user}`,
    SK: `DISMISSED#${scope}#${timeRank(moment)}`,
  }),
  /** A notification that was undismissed while `moment` was the last at which all were dismissed; 0 for never. */
  notificationListed: (user: string, moment: number, notification: string): Key => ({
    PK: `NOTIFICATIONS#${user}`,
    SK: `LISTED#${timeRank(moment)}#${notification}`,
  }),

  /** Under a record, a proposal to change it. */
  proposalTarget: (type: RecordType, id: string, proposal: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `PROPOSAL#${proposal}`,
  }),
  /** Under a contact, a proposal to make it part of another one. */
  proposedMerge: (type: RecordType, id: string, proposal: string): Key => ({
    PK: `RECORD#${type}#${id}`,
    SK: `PROPOSAL#${proposal}#GONE`,
  }),
  proposal: (proposal: string): Key => ({ PK: `PROPOSAL#${proposal}`, SK: 'META' }),

  /** A request for access to a thread or an event. */
  shareRequest: (request: string): Key => ({ PK: `SHAREREQUEST#${request}`, SK: 'META' }),
  /** Under who sent it or received it. Pending ones sort last. */
  shareRequestRow: (
    user: string,
    direction: 'sent' | 'received',
    pending: boolean,
    request: string,
  ): Key => ({
    PK: `SHAREREQUESTS#${user}`,
    SK: `${direction.toUpperCase()}#${pending ? 'PENDING' : 'ANSWERED'}#${request}`,
  }),
  /** Before all that a user sent, or received. */
  shareRequests: (user: string, direction: 'sent' | 'received'): Key => ({
    PK: `SHAREREQUESTS#${user}`,
    SK: `${direction.toUpperCase()}#`,
  }),
  /** What a user asked for last about a record. */
  askedFor: (user: string, type: RecordType, id: string): Key => ({
    PK: `SHAREREQUESTS#${user}`,
    SK: `ASKED#${type}#${id}`,
  }),

  /** An attachment by its id: its file, and the message that has it. */
  attachment: (attachment: string): Key => ({ PK: `ATTACHMENT#${attachment}`, SK: 'META' }),
  upload: (upload: string): Key => ({ PK: `UPLOAD#${upload}`, SK: 'META' }),
  mailImport: (mailImport: string): Key => ({ PK: `IMPORT#${mailImport}`, SK: 'META' }),
  mailImportFailure: (mailImport: string, ordinal: number): Key => ({
    PK: `IMPORT#${mailImport}`,
    SK: `FAILURE#${String(ordinal).padStart(10, '0')}`,
  }),
  /** Imports and exports of records are under their user: nobody else can find them. */
  recordImport: (user: string, id: string): Key => ({ PK: `RECORDIMPORTS#${user}`, SK: `IMPORT#${id}` }),
  /** Results of some rows, up to row `last`, of a run of an import. */
  importRows: (id: string, run: number, last: number): Key => ({
    PK: `RECORDIMPORT#${id}#${run}`,
    SK: `ROWS#${String(last).padStart(10, '0')}`,
  }),
  /** Those of these rows that have a status. */
  importRowsOf: (id: string, run: number, status: string, last: number): Key => ({
    PK: `RECORDIMPORT#${id}#${run}`,
    SK: `STATUS#${status}#${String(last).padStart(10, '0')}`,
  }),
  recordExport: (user: string, id: string): Key => ({ PK: `RECORDEXPORTS#${user}`, SK: `EXPORT#${id}` }),
  /** The transactional outbox: work that is enqueued and not complete. */
  job: (id: string): Key => ({
    PK: `JOBS#${Number.parseInt(id.slice(-1), 16) % JOB_SHARDS}`,
    SK: `JOB#${id}`,
  }),
  /** Work on a record that is due at a moment, in a list by moments in milliseconds. */
  dueWork: (at: number, work: string, type: string, id: string): Key => ({
    PK: keys.dueShard(Number.parseInt(id.slice(-1), 16) % DUE_SHARDS).PK,
    SK: `AT#${timeRank(at)}#${work}#${type}#${id}`,
  }),
  /** The next digest of a user, in the same list. */
  dueDigest: (at: number, user: string): Key => ({
    PK: keys.dueShard(Number.parseInt(user.slice(-1), 16) % DUE_SHARDS).PK,
    SK: `AT#${timeRank(at)}#digest#users#${user}`,
  }),
  /** A draft that is sent at a moment, in the same list. */
  dueDraft: (at: number, draft: string): Key => ({
    PK: keys.dueShard(Number.parseInt(draft.slice(-1), 16) % DUE_SHARDS).PK,
    SK: `AT#${timeRank(at)}#send#drafts#${draft}`,
  }),
  dueShard: (shard: number): Key => ({ PK: `DUE#${shard}`, SK: 'AT#' }),
  /** Users were reminded of a record at a moment, in milliseconds. */
  reminded: (type: RecordType, id: string, at: number): Key => ({
    PK: `REMINDED#${type}#${id}`,
    SK: `AT#${timeRank(at)}`,
  }),
  /** What is known about the table as a whole, such as the version of its data. */
  tableFact: (name: string): Key => ({ PK: `TABLE#${name}`, SK: 'META' }),
  jobShard: (shard: number): Key => ({ PK: `JOBS#${shard}`, SK: 'JOB#' }),
};

/** The list of a mailbox by the last mail with an address of a contact. */
export const LAST_MAIL = 'last_mail';

/** The sort keys of addresses that an account met in mail begin with it. */
export const ADDRESS_IN_MAIL = 'MAILADDRESS#';

export const JOB_SHARDS = 4;
export const DUE_SHARDS = 4;
export const SOCKET_SHARDS = 4;

/** The `list` attribute of an index: the list that an item belongs to. */
export const lists = {
  /** The records of a type that carry a tag. */
  tagged: (tag: string, type: RecordType) => `TAG#${tag}#${type}`,
  /** Those that are deleted and can be restored; the tag does not count them. */
  restingTagged: (tag: string, type: RecordType) => `TAG#${tag}#${type}#RESTING`,
};

/** Sorts before every UUIDv7 made at that millisecond or later, and after all earlier ones. */
export function idFloor(milliseconds: number): string {
  const hex = Math.max(0, Math.trunc(milliseconds)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** The beginning of year 1 and the end of year 9999: every moment that a request or a mail can name (RFC 3339). */
const [FIRST_MOMENT, LAST_MOMENT] = [-62_135_596_800_000, 253_402_300_799_999];

/** The characters of a moment in ranks. */
export const MOMENT_LENGTH = 15;

/**
 * Milliseconds as text that sorts by time, before 1970 too; moments outside years 1 to 9999 count as the nearest one.
 */
export function timeRank(milliseconds: number): string {
  const moment = Math.min(LAST_MOMENT, Math.max(FIRST_MOMENT, Math.trunc(milliseconds)));
  return String(moment - FIRST_MOMENT).padStart(MOMENT_LENGTH, '0');
}

/** The milliseconds of a `timeRank`. */
export const rankedTime = (rank: string): number => Number(rank) + FIRST_MOMENT;
