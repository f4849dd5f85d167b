import { describe, expect, it } from 'vitest';
import { ask, bob, message, thread, world } from '../../support/assistant-world.ts';

const telescope = { on: 't-telescope' };
const mary = { on: 'c-mary' };

describe('people', () => {
  it('says who a contact is, with a card, the note and the newest thread', async () => {
    const { text, shown } = await ask('Who is this?', mary);
    expect(text).toContain('[Mary Somerville](contact:c-mary): Head of Optics.');
    expect(text).toContain('+44 1632 960 001');
    expect(text).toContain('“Asks good questions.”');
    expect(text).toContain('where it is Friday 13 November 2026, 07:00');
    expect(text).toContain('[A telescope for the roof](thread:t-telescope)');
    expect(shown.cards).toEqual([{ card_type: 'Contact', ids: ['c-mary'] }]);
  });

  it('finds the person by name in a conversation, a first name is enough', async () => {
    expect((await ask('Who is Mary?')).text).toContain('[Mary Somerville](contact:c-mary)');
  });

  it('knows people without a contact from the mail', async () => {
    expect((await ask('Who is Bob?')).text).toContain('Bob Boole (bob@orbit.example) is known from mail');
  });

  it('asks back when several fit', async () => {
    const { text, shown } = await ask('Who is John?');
    expect(text).toContain('Which one do you mean?');
    expect(shown.cards[0]?.ids).toEqual(['c-john1', 'c-john2']);
  });

  it('does not invent people', async () => {
    expect((await ask('Who is Zebediah Crump?')).text).toBe(
      'I found nobody called “Zebediah Crump” among the contacts and the mail that you see.',
    );
  });

  it('gives a single fact, and says when none is noted', async () => {
    expect((await ask("What is Mary's phone number?")).text).toContain('phone number: +44 1632 960 001.');
    expect((await ask("What is Mary's birthday?")).text).toBe(
      'No birthday is noted for [Mary Somerville](contact:c-mary).',
    );
  });

  it('lists who is on a thread', async () => {
    const { text } = await ask('Who is on this thread?', telescope);
    expect(text).toContain('[Mary Somerville](contact:c-mary) (mary@orbit.example), wrote 2 messages');
    expect(text).toContain('Ada Lovelace (ada@acme.example), wrote 1 message');
    expect(text).toContain('Commented: Linus Pauling.');
  });
});

describe('what was said', () => {
  it('quotes the last message with its author and time in the zone of the asker, and later comments', async () => {
    const { text } = await ask('What was last said on this?', telescope);
    expect(text).toContain(
      '[Mary Somerville](contact:c-mary) wrote on Wednesday 11 November 2026, 10:30: “Thank you.',
    );
    expect(text).toContain('Linus Pauling commented on Thursday 12 November 2026, 09:00: “Blue, please.”');
  });

  it('quotes what one person said last, wherever it was', async () => {
    const { text } = await ask('What was last said by Bob?', telescope);
    expect(text).toContain('Bob Boole wrote on Thursday 5 November 2026, 11:00');
    expect(text).not.toContain('Nobody on your side');
  });

  it('quotes only the sentences about the topic', async () => {
    const { text } = await ask('What did Mary say about the discount?');
    expect(text).toContain('“The discount of five percent stands until 30 November 2026.”');
    expect(text).not.toContain('ladder');
  });

  it('says when nothing was said about it', async () => {
    const { text } = await ask('What did Mary say about elephants?');
    expect(text).toContain('I found nothing by [Mary Somerville](contact:c-mary) about “elephants”');
  });

  it('says when it read only the beginning of a mail', async () => {
    const long = thread('t-long', 'Long', [
      message(bob, '2026-11-05T10:00:00.000Z', 'It begins well', { shortened: true }),
    ]);
    const asking = { on: 't-long', world: { ...world, threads: [long] } };
    expect((await ask('What was last said?', asking)).text).toContain(
      'I read only the beginning of the mail from Bob Boole of Thursday 5 November 2026, 11:00.',
    );
    expect((await ask('summarize', asking)).text).toContain('I read only the beginning');
  });

  it('says which older messages it did not read', async () => {
    const part = {
      ...world.threads[0]!,
      earlier: [{ sent_at: '2026-10-01T00:00:00.000Z', from: 'Bob', snippet: null }],
      left_out: 3,
    };
    const { text } = await ask('summarize', { on: part.id, world: { ...world, threads: [part] } });
    expect(text).toContain(
      'Not read in full: 4 older messages on [A telescope for the roof](thread:t-telescope).',
    );
    expect(text).toContain('The oldest message that I read');
  });
});

describe('when', () => {
  it('says when somebody was last mailed, with a table of date, sender and subject', async () => {
    const { text, shown } = await ask('When was Mary last mailed?');
    expect(text).toContain(
      'Last mail to [Mary Somerville](contact:c-mary): Tuesday 10 November 2026, 15:05, by you',
    );
    expect(text).toContain(
      'Last mail from [Mary Somerville](contact:c-mary): Wednesday 11 November 2026, 10:30',
    );
    expect(shown.tables[0]?.columns.map(({ label }) => label)).toEqual(['Date', 'From', 'Subject']);
    expect(shown.tables[0]?.rows.map(({ cells }) => cells.date)).toEqual([
      '2026-11-11 10:30',
      '2026-11-10 15:05',
      '2026-11-09 14:05',
    ]);
    expect(shown.tables[0]?.rows[0]?.ref).toEqual({ type: 'thread', id: 't-telescope' });
  });

  it('writes the table as text where there are no tables', async () => {
    const { text } = await ask('When was Mary last mailed?', { absent: ['show_table'] });
    expect(text).toContain('- Tuesday 10 November 2026, 15:05: You, [A telescope for the roof]');
  });

  it.each(['And when?', 'When was she last mailed?'])(
    'knows from the conversation whom %s means',
    async (text) => {
      const past = [
        { role: 'user' as const, text: 'Who is Mary?' },
        { role: 'assistant' as const, text: '[Mary Somerville](contact:c-mary): Head of Optics.' },
      ];
      expect((await ask(text, { past })).text).toContain('Last mail to [Mary Somerville](contact:c-mary)');
    },
  );

  it('knows it from earlier questions when answers name nobody', async () => {
    const past = [{ role: 'user' as const, text: 'What did Bob say about the invoice?' }];
    expect((await ask('Who is he?', { past })).text).toContain('Bob Boole');
  });

  it('does not guess whom a pronoun means', async () => {
    expect((await ask('Who is she?')).text).toContain('I do not know whom you mean.');
  });
});

describe('open questions', () => {
  it.each([
    ['Which threads are unread?', '1 thread is unread.'],
    ['What is waiting for us?', '1 thread waits for an answer from your side.'],
    ['What is open?', '2 threads are open.'],
    ['Which threads are flagged?', '1 thread is flagged.'],
    ['How many unread threads do I have?', '1 thread is unread.'],
    ['How many threads are open?', '2 threads are open.'],
    ['How many unread threads since today?', 'No threads are unread, counting mail since midnight.'],
  ])('%s', async (question, answer) => {
    expect((await ask(question)).text).toContain(answer);
  });

  it('shows the threads as cards', async () => {
    const { shown } = await ask('What is open?');
    expect(shown.cards[0]).toMatchObject({ card_type: 'Thread', ids: ['t-telescope', 't-invoice'] });
  });

  it('on a thread tells its state and the questions without an answer', async () => {
    const { text } = await ask('Is this answered?', telescope);
    expect(text).toContain('is open, unread, flagged.');
    expect(text).toContain('2 questions without an answer:');
  });

  it('lists the questions of what was received since the last answer', async () => {
    const { text } = await ask('Which questions are open?', telescope);
    expect(text).toContain('“Which colour do you want?”');
    expect(text).toContain('“And who holds the ladder?”');
    expect(text).not.toContain('Would the roof');
  });

  it('counts a colleague’s answer as an answer', async () => {
    const answered = thread('t-a', 'Asked', [
      message(bob, '2026-11-05T10:00:00.000Z', 'How high is it?'),
      message(
        { contact_id: null, name: 'Linus Pauling', email_address: 'linus@acme.example' },
        '2026-11-06T10:00:00.000Z',
        'Nine metres.',
      ),
    ]);
    const { text } = await ask('Which questions are open?', {
      on: 't-a',
      world: { ...world, threads: [answered] },
    });
    expect(text).toContain('I found no open question on this thread');
  });
});

describe('dates, tasks, files and tags', () => {
  it('says that there are no tasks, and names deadlines', async () => {
    const { text } = await ask('Which tasks are due?');
    expect(text).toContain('No task is open.');
    expect(text).toContain('Sunday 15 November 2026 (deadline): Bob Boole');
    expect(text).toContain('Friday 20 November 2026 (deadline): You');
  });

  it('lists the dates of a thread', async () => {
    const { text } = await ask('Which dates are mentioned?', telescope);
    expect(text).toContain('Monday 30 November 2026 (deadline)');
    expect(text).toContain('Friday 20 November 2026 (deadline)');
  });

  it('lists the files, without the pictures of signatures', async () => {
    const { text, shown } = await ask('Which files were sent?', telescope);
    expect(text).toContain('1 file');
    expect(text).toContain(
      '“telescope.pdf”, [Mary Somerville](contact:c-mary), Monday 9 November 2026, 14:05',
    );
    expect(shown.tables[0]?.rows).toHaveLength(1);
    expect((await ask('Which files did Bob send?')).text).toContain('“invoice-1187.pdf”');
  });

  it('names the tags of the record, of the workspace, and threads with a tag', async () => {
    expect((await ask('Which tags does this have?', telescope)).text).toContain('has 1 tag: Roof.');
    expect((await ask('Which tags are there?')).text).toBe(
      '2 tags in this workspace: Roof and Money (Prices and invoices).',
    );
    expect((await ask('Which threads are tagged roof?')).text).toContain(
      '[A telescope for the roof](thread:t-telescope)',
    );
  });
});

describe('finding and summing up', () => {
  it('summarizes a thread by its own sentences', async () => {
    const { text } = await ask('Summarize this', telescope);
    expect(text).toContain('3 messages between');
    expect(text).toContain('It began on Monday 9 November 2026, 14:05');
    expect(text).toContain(
      'Promised: You, Tuesday 10 November 2026: “I will send the drawing of the beams by 20 November.”',
    );
    expect(text).toContain('Dates named: 30 November 2026 and 20 November');
    expect(text).toContain('It waits for an answer from your side.');
  });

  it('finds the thread that a conversation names', async () => {
    expect((await ask('Summarize the thread about the invoice')).text).toContain(
      '[Invoice 1187](thread:t-invoice)',
    );
  });

  it('finds a thread by another form of its word', async () => {
    expect((await ask('Find threads about invoices')).text).toContain('[Invoice 1187](thread:t-invoice)');
  });

  it('finds threads and contacts', async () => {
    const threads = await ask('Find threads about the invoice');
    expect(threads.text).toContain('1 thread for “invoice”. The newest is [Invoice 1187](thread:t-invoice)');
    expect(threads.shown.cards[0]?.ids).toEqual(['t-invoice']);
    const contacts = await ask('Find the contact John');
    expect(contacts.text).toContain('I found 2 contacts:');
    expect(contacts.shown.cards[0]?.ids).toEqual(['c-john1', 'c-john2']);
  });

  it('quotes sentences with the words of any other question, with author and date', async () => {
    const { text } = await ask('How many kilograms is the telescope?', telescope);
    expect(text).toContain(
      '[Mary Somerville](contact:c-mary), Monday 9 November 2026, 14:05: “It weighs ninety kilograms.”',
    );
  });

  it('looks elsewhere when the record says nothing', async () => {
    const { text } = await ask('What about that invoice 1187 thing', telescope);
    expect(text).toContain('[Invoice 1187](thread:t-invoice)');
  });

  it('says that it found nothing', async () => {
    expect((await ask('Is there life on Europa?')).text).toBe('I found nothing about “life Europa”.');
  });
});

describe('what it cannot do, it says', () => {
  it.each([
    ['Send Mary a mail', 'I cannot send mail;'],
    ['Write me a poem', 'I do not write texts of my own;'],
    ['What is the weather like?', 'I know nothing beyond this workspace;'],
    ['Delete this thread', 'I cannot delete anything;'],
    ['Mark this as read', 'I cannot change a thread’s state'],
    ['Schedule a meeting with Mary', 'I cannot make events;'],
    ['Translate this into French', 'I cannot translate;'],
    ['Was wurde zuletzt mit ihr besprochen, und wer ist sie?', 'I read questions in English only'],
    ['これは何についてですか', 'I read questions in English only'],
  ])('%s', async (question, answer) => {
    const { text, shown } = await ask(question, telescope);
    expect(text).toContain(answer);
    expect(shown.proposals).toEqual([]);
  });

  it('names only what its tools allow', async () => {
    expect((await ask('What can you do?')).text).toContain('I can propose small changes');
    const { text } = await ask('What can you do?', { absent: ['propose_change', 'search_threads'] });
    expect(text).toContain('I change nothing.');
    expect(text).not.toContain('propose');
  });

  it.each([
    ['Which threads are unread?', 'search_threads', 'I cannot search threads here.'],
    ['Tag this as Money', 'propose_change', 'I cannot propose changes here; I only read.'],
    ['Which tags exist?', 'list_tags', 'I cannot see the list of tags here.'],
    ['Summarize this', 'read_record', 'I cannot read records here.'],
  ] as const)('%s without the tool %s', async (question, tool, answer) => {
    expect((await ask(question, { ...telescope, absent: [tool] })).text).toBe(answer);
  });

  it('says why a tool refused', async () => {
    expect((await ask('Summarize this', { on: 't-hidden' })).text).toContain(
      'I could not look that up: There is no thread t-hidden, or the user does not see it.',
    );
  });
});
