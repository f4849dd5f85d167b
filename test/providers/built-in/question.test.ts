import { describe, expect, it } from 'vitest';
import { readQuestion } from '#shared/providers/assistant/built-in/question.ts';

describe('the kind of a question follows from its words', () => {
  it.each([
    ['What can you do?', 'abilities'],
    ['help', 'abilities'],
    ['Who is this?', 'who'],
    ["who's Mary Somerville", 'who'],
    ['What was last said?', 'last-said'],
    ['What was last said by Mary on this?', 'last-said'],
    ['Has Bob replied yet?', 'last-said'],
    ['any news from Bob?', 'last-said'],
    ['When was Mary last mailed?', 'last-mailed'],
    ['Who mailed Bob when?', 'last-mailed'],
    ['When did we last hear from her?', 'last-mailed'],
    ['What is open?', 'open'],
    ['Which threads are unread?', 'open'],
    ['What is waiting for us?', 'open'],
    ['Which mails are unanswered?', 'open'],
    ['Show me the mail that nobody answered', 'open'],
    ['Which tasks are due?', 'tasks'],
    ['Could you please summarize this?', 'summary'],
    ['tl;dr', 'summary'],
    ['what is this about?', 'summary'],
    ['Who is on this thread?', 'participants'],
    ['Find threads about the invoice', 'find-threads'],
    ['emails from Bob', 'find-threads'],
    ['Find the contact Mary', 'find-contact'],
    ['What did Mary say about the roof?', 'said'],
    ['Which files were sent?', 'files'],
    ['what did Bob attach? any attachments?', 'files'],
    ['Which questions are open?', 'questions'],
    ['Which deadlines are mentioned?', 'dates'],
    ['How many unread threads do I have?', 'count'],
    ['Which tags does this have?', 'tags'],
    ['Which threads are tagged Money?', 'tagged'],
    ['Tag this as Money', 'tag'],
    ['add the tag Money', 'tag'],
    ['remove the tag Roof', 'untag'],
    ['Add a contact Ann Lee <ann@lee.example>', 'add-contact'],
    ['Set her headline to Astronomer', 'change-contact'],
    ['change the name to Mary S.', 'change-contact'],
    ['Send her a mail', 'cannot'],
    ['Write a poem about roofs', 'cannot'],
    ['What is the weather in Porto?', 'cannot'],
    ['Delete this thread', 'cannot'],
    ['Mark this as read', 'cannot'],
    ['Remind me tomorrow', 'cannot'],
    ['How heavy is the telescope?', 'other'],
    ['when is the harbour day?', 'when'],
    ["when is Mary's birthday?", 'detail'],
    ['what did Mary write last week?', 'last-said'],
    ["what's new today?", 'overview'],
    ['What happened this week?', 'overview'],
    ['What happened?', 'summary'],
    ['summarize my inbox', 'overview'],
    ["what's in my inbox?", 'overview'],
    ['Give me a summary of this week', 'overview'],
    ['Summarize the thread about the roof', 'summary'],
  ])('%s: %s', (text, kind) => {
    expect(readQuestion(text).kind).toBe(kind);
  });

  it.each([
    ['What did Mary Somerville say about the roof?', { person: 'Mary Somerville', topic: 'the roof' }],
    ['Tag this as "Money talks", please', { topic: 'this', value: 'Money talks' }],
    ["Set Mary's nickname to Countess", { person: 'Mary', field: 'nickname', value: 'Countess' }],
    ['what is the phone number of E. Pemberton?', { person: 'E. Pemberton', field: 'phone number' }],
    ['Hi! Could you tell me who mailed Bob last?', { person: 'Bob' }],
  ])('%s has the parts %o', (text, parts) => {
    expect(readQuestion(text)).toMatchObject(parts);
  });

  it('reads a whole question after "and" as one', () => {
    const question = readQuestion('and when did he last write?', ['Who is Bob?']);
    expect(question).toMatchObject({ kind: 'last-mailed', person: 'he' });
  });

  it('asks again about somebody else in "and Bob?"', () => {
    const question = readQuestion('And Bob?', ['When was Mary last mailed?']);
    expect(question).toMatchObject({ kind: 'last-mailed', person: 'Bob' });
  });

  it('finds the question at the end of a long text', () => {
    const pasted = `${'Some pasted words. '.repeat(100)}\nWho is on this thread?`;
    expect(readQuestion(pasted).kind).toBe('participants');
  });
});
