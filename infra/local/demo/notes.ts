import type { DemoUserKey } from './people.ts';

export { demoContacts } from './contacts.ts';

/*
 * What people add around the mail: contacts (in their own file), tags, comments and flags. A `thread_subject` is the
 * subject of the first message of a thread in `demoMail`.
 */

export interface DemoTag {
  name: string;
  /** A CSS hex color. */
  color: string;
  description?: string;
  /** Whether the agent may put it on threads. */
  applicable_to_interactions?: boolean;
}

export interface DemoTagging {
  thread_subject: string;
  /** The name of a tag. */
  tag: string;
}

export interface DemoComment {
  thread_subject: string;
  author: DemoUserKey;
  html_content: string;
  /** Who is mentioned; each appears in the text as "@" and the full name. */
  mentions: readonly DemoUserKey[];
  /** Whether it answers the comment before it. */
  answers?: boolean;
  reactions?: readonly { by: DemoUserKey; text: string }[];
}

export interface DemoFlag {
  thread_subject: string;
  user: DemoUserKey;
}

const fleet = 'Forty Limpets for the fleet';
const harbour = 'Harbour day: what to bring';
const springs = 'Anfrage: 500 Druckfedern für den Limpet';
const acoustician = 'Candidature : ingénieure acoustique';
const housing = 'Housing, second version: where do the clips go?';
const quietHour = 'The quiet hour in north-2';
const invoice = 'Invoice HP-1187 for your labels';
const porto = 'Would you open Small Machines in Porto?';
const pricing = 'Are we too cheap?';
const tokyo = '工場見学のお礼と試験結果のご報告';
const castings = '第二批外壳样品已寄出';

export const demoTags: readonly DemoTag[] = [
  { name: 'Customers', color: '#1f7a5c' },
  { name: 'Suppliers', color: '#b5651d' },
  { name: 'Hiring', color: '#6a4fb3' },
  { name: 'Incidents', color: '#c0392b' },
  {
    name: 'Money',
    color: '#9a7d0a',
    description: 'What we charge, and whether it is too cheap',
    applicable_to_interactions: true,
  },
  { name: 'Product', color: '#2471a3' },
];

export const demoTaggings: readonly DemoTagging[] = [
  { thread_subject: fleet, tag: 'Customers' },
  { thread_subject: fleet, tag: 'Money' },
  { thread_subject: harbour, tag: 'Customers' },
  { thread_subject: tokyo, tag: 'Customers' },
  { thread_subject: springs, tag: 'Suppliers' },
  { thread_subject: castings, tag: 'Suppliers' },
  { thread_subject: invoice, tag: 'Suppliers' },
  { thread_subject: invoice, tag: 'Money' },
  { thread_subject: pricing, tag: 'Money' },
  { thread_subject: acoustician, tag: 'Hiring' },
  { thread_subject: 'Desarrollador de firmware (y de paciencia)', tag: 'Hiring' },
  { thread_subject: quietHour, tag: 'Incidents' },
  { thread_subject: '[Tidewater] Elevated errors in region north-2', tag: 'Incidents' },
  { thread_subject: housing, tag: 'Product' },
];

/** In the order they were written. */
export const demoComments: readonly DemoComment[] = [
  {
    thread_subject: fleet,
    author: 'ada',
    html_content:
      '<p>@Grace Hopper how many days is this really? I told them we could do it in the lay-up and then looked at the lay-up.</p>',
    mentions: ['grace'],
  },
  {
    thread_subject: fleet,
    author: 'grace',
    html_content:
      '<p>Three days with two people. Four if we count the tea, which on a ferry one must.</p><p>@Linus Pauling can you have forty of them talking to the dashboard by then?</p>',
    mentions: ['linus'],
    answers: true,
    reactions: [{ by: 'ada', text: '🫖' }],
  },
  {
    thread_subject: fleet,
    author: 'grace',
    html_content: '<p>Thirty-eight are talking. The other two are shy, but I have names for them.</p>',
    mentions: [],
  },
  {
    thread_subject: springs,
    author: 'grace',
    html_content:
      '<p>@Ada Lovelace the dearer springs add 40 euros to the batch and ten years to my sleep. May I?</p>',
    mentions: ['ada'],
  },
  {
    thread_subject: springs,
    author: 'ada',
    html_content: '<p>Please do. I will write the order myself, <em>auf Deutsch</em>. Wish me luck.</p>',
    mentions: [],
    answers: true,
    reactions: [{ by: 'grace', text: '🎉' }],
  },
  {
    thread_subject: acoustician,
    author: 'grace',
    html_content:
      '<p>Questions for the visit:</p><ul><li>Which machine was hardest to listen to?</li><li>Piano or turbine?</li></ul><p>@Ada Lovelace you ask the second one, I cannot keep a straight face.</p>',
    mentions: ['ada'],
  },
  {
    thread_subject: housing,
    author: 'grace',
    html_content:
      '<p>The ladder results are in the shared folder, with a photograph of the neighbour looking up.</p>',
    mentions: [],
  },
  {
    thread_subject: housing,
    author: 'ada',
    html_content:
      '<p>@Grace Hopper @Linus Pauling feet cost us 4 pence a piece and save us every dropped one. Decided, unless one of you speaks before lunch.</p>',
    mentions: ['grace', 'linus'],
  },
  {
    thread_subject: quietHour,
    author: 'grace',
    html_content:
      '<p>For the notes: no reading was lost, the oldest arrived 83 minutes late. <strong>The queue did its job.</strong></p>',
    mentions: [],
    reactions: [
      { by: 'ada', text: '🙏' },
      { by: 'ada', text: '👏' },
    ],
  },
  {
    thread_subject: quietHour,
    author: 'ada',
    html_content:
      '<p>@Linus Pauling sorry about the two in the morning. Take the afternoon off, and whichever afternoon that turns out to be.</p>',
    mentions: ['linus'],
  },
  {
    thread_subject: castings,
    author: 'ada',
    html_content:
      '<p>@Grace Hopper the samples come to you first. "Hai xing" means the edges are perfect and nobody will say so.</p>',
    mentions: ['grace'],
  },
  {
    thread_subject: porto,
    author: 'ada',
    html_content: '<p>To find: the photograph of the gull, the one where it is looking at the camera.</p>',
    mentions: [],
  },
];

export const demoFlags: readonly DemoFlag[] = [
  { thread_subject: fleet, user: 'ada' },
  { thread_subject: harbour, user: 'grace' },
  { thread_subject: acoustician, user: 'grace' },
  { thread_subject: porto, user: 'ada' },
  { thread_subject: quietHour, user: 'grace' },
];
