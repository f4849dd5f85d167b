import type { DemoUserKey } from './people.ts';

export interface DemoQuestion {
  /** The record it is asked on: a thread by its subject, a contact by its name. Null: in a conversation. */
  ask_on: { thread_subject: string } | { contact_name: string } | null;
  as: DemoUserKey;
  text: string;
}

const fleet = { thread_subject: 'Forty Limpets for the fleet' };
const harbour = { thread_subject: 'Harbour day: what to bring' };
const invoice = { thread_subject: 'Invoice HP-1187 for your labels' };
const porto = { thread_subject: 'Would you open Small Machines in Porto?' };
const quietHour = { thread_subject: 'The quiet hour in north-2' };
const priya = { contact_name: 'Priya Raghunathan' };

/** Questions to the assistant whose answers are in `demoMail` and its annotations. */
export const demoQuestions: readonly DemoQuestion[] = [
  { ask_on: null, as: 'ada', text: 'What can you do?' },
  { ask_on: fleet, as: 'ada', text: 'Please summarize this thread.' },
  { ask_on: fleet, as: 'grace', text: 'What did Tom say about the purchase order?' },
  { ask_on: fleet, as: 'ada', text: 'Which files were sent here?' },
  { ask_on: harbour, as: 'grace', text: 'What was last said on this?' },
  { ask_on: harbour, as: 'ada', text: 'Who is on this thread?' },
  { ask_on: quietHour, as: 'ada', text: 'When was Malik last mailed?' },
  { ask_on: porto, as: 'ada', text: 'Which dates or deadlines are mentioned?' },
  {
    ask_on: { thread_subject: 'Housing, second version: where do the clips go?' },
    as: 'grace',
    text: 'What did Wren say about the drawing?',
  },
  { ask_on: invoice, as: 'ada', text: 'Tag this as Printing, please' },
  { ask_on: invoice, as: 'ada', text: 'Which tags does this have?' },
  { ask_on: priya, as: 'ada', text: 'Who is this?' },
  { ask_on: priya, as: 'ada', text: 'When did we last hear from her?' },
  { ask_on: priya, as: 'grace', text: 'What did she say about the winch?' },
  { ask_on: null, as: 'ada', text: 'Which threads are waiting for an answer from us?' },
  { ask_on: null, as: 'grace', text: 'How many unread threads do I have?' },
  { ask_on: null, as: 'ada', text: 'Find threads about the boiler' },
  { ask_on: null, as: 'ada', text: 'Which tasks are due this week?' },
  { ask_on: null, as: 'ada', text: 'What is Wren Ashdown’s phone number?' },
  { ask_on: harbour, as: 'grace', text: 'Send Moira a mail that we start at six' },
];
