import { describe, expect, it } from 'vitest';
import { splitHtml } from '#shared/domain/mail/quotes/quote-html.ts';
import { splitText } from '#shared/domain/mail/quotes/quote-text.ts';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';

/** Quote headers in places and shapes other than a line of their own above the quote. */

const LINE = 'On Tue, Nov 17, 2009 at 9:28 PM, Ann Lee <ann@a.example> wrote:';
const FIELDS = {
  from: 'From: Ann Lee <ann@a.example>',
  date: 'Date: Tue, 17 Nov 2009 21:28:37 +0100',
  to: 'To: bob@b.example',
  subject: 'Subject: Plan',
};
const { from, date, to, subject } = FIELDS;
const RULE = '________________________________\n';
const QUESTION = 'Shall we meet on Monday?';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const asHtml = (text: string) => escaped(text).replaceAll('\n', '<br>');

/** Splits plain text; the two halves together are always the whole. */
function split(text: string, forwarded = false) {
  const halves = splitText(text, forwarded);
  expect(halves.fresh + (halves.quoted ?? '')).toBe(text);
  return halves;
}

/** The text that each half of HTML shows; both functions must give the same. */
function splitMarkup(html: string, forwarded = false) {
  const { html: halves, text } = splitHtml(sanitizeHtml(html, 'mail'), forwarded);
  expect(text.fresh.trim()).toBe(htmlToText(halves.fresh));
  if (halves.quoted !== null) expect(text.quoted?.trim()).toBe(htmlToText(halves.quoted));
  return { fresh: htmlToText(halves.fresh), quoted: halves.quoted && htmlToText(halves.quoted) };
}

describe('an attribution on the line of the answer', () => {
  const LINES = {
    'after a space': ['Works for me. ', LINE],
    'after dashes': ['Works for me', `--- ${LINE}`],
    'after dashes and a space': ['Works - for - me ', `-- ${LINE}`],
    folded: ['Works for me. ', 'On Tue, Nov 17, 2009 at 9:28 PM, Ann Lee <\nann@a.example> wrote:'],
    German: ['Passt. ', 'Am 17.11.2009 um 21:28 schrieb Ann Lee <ann@a.example>:'],
    French: ['Ça va. ', 'Le mar. 17 nov. 2009 à 21:28, Ann Lee <ann@a.example> a écrit :'],
    'after a long paragraph': [`${'It works for me. '.repeat(500)}`, LINE],
  } as const;

  it.each(Object.entries(LINES))('%s, in text', (_, [answer, line]) => {
    const quote = `${line}\n> ${QUESTION}`;
    expect(split(answer + quote)).toEqual({ fresh: answer, quoted: quote });
    expect(split(`Hello,\n${answer}${quote}`).fresh).toBe(`Hello,\n${answer}`);
  });

  it.each(Object.entries(LINES))('%s, in HTML', (_, [answer, line]) => {
    const html = `<div><b>Hello,</b><br>${asHtml(answer + line)}<blockquote>${QUESTION}</blockquote></div>`;
    const { fresh, quoted } = splitMarkup(html);
    expect(fresh).toBe(`Hello,\n${answer.trim()}`);
    expect(quoted).toContain('ann@a.example');
    expect(quoted).toContain(QUESTION);
  });

  it('in HTML where links, entities and a bullet stand in the line', () => {
    const line = `<ul><li>A &amp; B &lt;fine&gt; &nbsp; <i>On Tue, <b>Nov 17</b>, 2009, Ann</i> &lt;<a href="mailto:ann@a.example">ann@a.example</a>&gt; wrote:</li></ul>`;
    const { html } = splitHtml(sanitizeHtml(`${line}<blockquote>${QUESTION}</blockquote>`, 'mail'));
    expect(htmlToText(html.fresh)).toBe('- A & B <fine>');
    expect(html.fresh).not.toContain('<i>');
    expect(html.quoted).toContain('<i>On Tue, <b>Nov 17</b>');
  });

  it('an address before the date is a part of the attribution', () => {
    const quote = `Ann Lee <ann@a.example> On Tue, 17 Nov 2009 wrote:\n> ${QUESTION}`;
    expect(split(`Yes.\n${quote}`)).toEqual({ fresh: 'Yes.\n', quoted: quote });
  });

  it.each([
    ['with an answer below', `See below. ${LINE}\n> ${QUESTION}\n\nYes.`],
    ['between quotes', `${LINE}\n> ${QUESTION}\n\nYes. ${LINE}\n> And where?\n\nHere.`],
    ['without a date', `I know what On-call Ann <ann@a.example> wrote:\n> ${QUESTION}\n\nYes.`],
    ['no quote below', `I recall On Tue, Nov 17, 2009 the lawyers wrote:\n\nall is well.`],
    ['after an address', `ann@a.example On Tue, Nov 17, 2009 wrote that\n\nall is well.`],
  ])('%s is all new text', (_, text) => {
    expect(split(text).quoted).toBeNull();
    expect(splitMarkup(`<pre>${escaped(text)}</pre>`).quoted).toBeNull();
  });
});

describe('an attribution as a mail program broke it', () => {
  it.each([
    ['before the last bracket', 'On Tue, Nov 17, 2009 at 9:28 PM, Ann Lee <ann@a.example\n> wrote:'],
    [
      'so that only bracket and colon are left',
      'tir. 17. nov. 2009 kl. 21:28 skrev Ann Lee <ann@a.example\n>:',
    ],
    ['without a colon', 'On Tue, 17 Nov 2009 21:28:37 +0100 Ann Lee <ann@a.example> wrote'],
    ['without a verb and a colon', '2009/11/17 Ann Lee <ann@a.example>'],
  ])('%s', (_, line) => {
    const quote = `${line}\n\n> ${QUESTION}`;
    expect(split(`Yes.\n\n${quote}`)).toEqual({ fresh: 'Yes.\n\n', quoted: quote });
  });

  it('without a colon above text without marks', () => {
    const quote = `On Tue, 17 Nov 2009 21:28:37 +0100 Ann Lee <ann@a.example> wrote\n\n${QUESTION}`;
    expect(split(`Yes.\n\n${quote}`)).toEqual({ fresh: 'Yes.\n\n', quoted: quote });
  });

  it.each([1, 2])('%i blank lines above the quote are still one header', (blanks) => {
    for (const line of [LINE, 'Ann wrote:', '2009/11/17 Ann Lee <ann@a.example>']) {
      const quote = `${line}${'\n'.repeat(blanks + 1)}> ${QUESTION}`;
      expect(split(`Yes.\n\n${quote}`)).toEqual({ fresh: 'Yes.\n\n', quoted: quote });
    }
  });

  it('three blank lines separate a sentence from a citation', () => {
    expect(split(`Yes.\n\nAnn wrote:\n\n\n\n> ${QUESTION}`).quoted).toBeNull();
  });

  it.each([
    ['a date and a colon', 'On Monday 17.11.2009 we have to decide:'],
    ['an address and a colon', 'Please ask bob@b.example about it:'],
    ['a date and an address', 'On 17.11.2009 I asked bob@b.example'],
    ['a verb and a colon', 'The lawyers wrote:'],
    ['a verb and an address', 'The lawyers at law@b.example wrote'],
  ])('%s below text and above text are a sentence', (_, line) => {
    expect(split(`Hi Ann,\n\n${line}\n\n- red\n- blue`).quoted).toBeNull();
  });
});

describe('an attribution inside the quote', () => {
  it.each([
    ['one line', LINE],
    ['folded', 'On Tue, Nov 17, 2009 at 9:28 PM, Ann Lee\n<ann@a.example> wrote:'],
    ['French', 'Le 17 nov. 2009 à 21:28, Ann Lee <ann@a.example> a écrit :'],
    ['a header block', `${from}\n${date}\n${to}\n${subject}`],
    ['a header block that begins with the date', `${date}\n${from}\n${to}`],
    ['a delimiter', '-----Original Message-----'],
  ])('%s', (_, header) => {
    const marked = `${header}\n\n${QUESTION}`.replaceAll(/^/gm, '> ');
    for (const start of ['', '>\n', '>\n> \n'])
      for (const answer of ['Yes.\n', 'Yes.\n\n', '']) {
        expect(split(answer + start + marked)).toEqual({ fresh: answer, quoted: start + marked });
      }
    expect(split(`Yes.\n\n${marked}\n\n-- \nBob`).fresh).toBe('Yes.\n\n');
    expect(split(`${marked}\n\nYes.`).quoted).toBeNull();
    const quote = `<blockquote><div>${asHtml(header)}</div><div>${QUESTION}</div></blockquote>`;
    expect(splitMarkup(`<p>Yes.</p>${quote}`).fresh).toBe('Yes.');
    expect(splitMarkup(`${quote}<p>Yes.</p>`).quoted).toBeNull();
  });

  it('answers between stay new, whatever headers the pieces have', () => {
    const text = `> ${LINE}\n> ${QUESTION}\n\nYes.\n\n> And where?\n\nHere.`;
    expect(split(text).quoted).toBeNull();
  });

  it.each([
    [
      'a forward',
      `> Begin forwarded message:\n>\n> ${from}\n> ${subject}\n> ${date}\n> ${to}\n>\n> ${QUESTION}`,
    ],
    ['a citation', '> All is well, as Ann wrote on Tuesday.'],
    ['a header below other words', `> Look:\n> ${LINE}\n> ${QUESTION}`],
    ['somebody else’s words', `> Ann wrote:\n> ${QUESTION}`],
  ])('%s is new', (_, quote) => {
    expect(split(`Yes.\n\n${quote}`).quoted).toBeNull();
    const unmarked = quote.replaceAll(/^> ?/gm, '');
    expect(splitMarkup(`<p>Yes.</p><blockquote>${asHtml(unmarked)}</blockquote>`).quoted).toBeNull();
  });

  it('a header block in the quote of a message that the subject calls a forward is new', () => {
    const text = `See:\n\n${`${from}\n${date}\n${to}\n\n${QUESTION}`.replaceAll(/^/gm, '> ')}`;
    expect(split(text).fresh).toBe('See:\n\n');
    expect(split(text, true).quoted).toBeNull();
  });

  it('a citation made with Gmail’s own button is new', () => {
    const html = `<div dir="ltr"><p>As you say:</p><blockquote class="gmail_quote">${QUESTION}</blockquote></div>`;
    expect(splitMarkup(html).quoted).toBeNull();
  });
});

describe('header blocks', () => {
  const BLOCKS: Record<string, string[]> = {
    'that begin with the date': [date, from, to, subject],
    'that begin with the date and have no subject': [date, to, from],
    'in the order of Notes': [to, from, date, subject],
    'in the order of Thunderbird': [subject, date, from, to],
    'of sender and date': [from, date],
    'of date and recipient': [date, to],
    'of sender and recipient': [from, to],
    'with two fields on one line': [`${from} ${date}`, `${to} ${subject}`],
    'on one line': [`${from} ${date} ${to}`],
    'with folded fields': [from, ' <ann@a.example>', date, to, ' eve@e.example'],
    'of Laposte': [
      'Message du : 17/11/2009 21:28',
      'De : "Ann" <ann@a.example>',
      'A : bob@b.example',
      'Sujet : Plan',
    ],
  };

  it.each(Object.entries(BLOCKS))('%s', (_, fields) => {
    for (const rule of ['', RULE, `${RULE}\n`, `${RULE}\n\n`]) {
      const quote = `${rule}${fields.join('\n')}\n\n${QUESTION}`;
      expect(split(`Yes.\n\n${quote}`)).toEqual({ fresh: 'Yes.\n\n', quoted: quote });
    }
    const block = fields.map(escaped).join('<br>');
    for (const above of ['<p>Yes.</p>', '<div>Yes.</div><hr>', '<div>Yes.<br><hr>']) {
      expect(splitMarkup(`${above}${block}<p>${QUESTION}</p>`).fresh).toMatch(/^Yes\.\s*$/);
    }
    expect(split(`Yes.\n\n${fields.join('\n')}\n\n${QUESTION}`, true).quoted).toBeNull();
  });

  it.each([
    ['an invitation', 'Date: Wednesday 3 October 2011\nTime: 7:00\nAddress: 130 Fox St'],
    ['a span of time', 'Date: 3 October 2011\nFrom: 10:00\nTo: 11:30'],
    ['a journey', 'From: Berlin\nTo: Paris'],
    ['a journey with its date', 'Date: 3 October 2011\nFrom: Berlin\nTo: Paris'],
    ['a form', 'To: bob@b.example\nSubject: Plan'],
    ['two fields with text right below', `${from}\n${date}\nis what the header says.`],
    ['two fields with text right above', `The header says\n${from}\n${date}`],
    ['two fields far apart', `${from}\n\nHi Bob, see you then.\n\n${date}`],
    ['a sender without address and a date', 'From: the team\nDate: 3 October 2011'],
    ['a sender and a date without figures', 'From: ann@a.example\nDate: tomorrow'],
    ['one field twice', `${from}\nFrom: eve@e.example`],
    ['one field', from],
  ])('%s is text', (_, lines) => {
    const text = `Hi,\n\n${lines}\n\n${QUESTION}`;
    expect(split(text).quoted).toBeNull();
    expect(splitMarkup(`<p>Hi,</p><p>${asHtml(lines)}</p><p>${QUESTION}</p>`).quoted).toBeNull();
  });
});

describe('a header block that begins the text', () => {
  const TOP: Record<string, string> = {
    'from sender to subject': `${from}\n${date}\n${to}\n${subject}`,
    'with a folded field': `${from}\n${to}\n eve@e.example\n${subject}\n${date}`,
    'of two fields': `${from}\n${date}`,
    'below a rule': `${RULE}\n${from}\n${date}\n${to}\n${subject}`,
  };
  const BELOW: Record<string, string> = {
    'a header block': `${date}\n${from}\n${to}\n\nAnd where?`,
    'a delimiter': '-----Original Message-----\n\nAnd where?',
    'an attribution': `${LINE}\n> And where?`,
    'a header inside the quote': `> ${LINE}\n>\n> And where?`,
  };
  const outlook = (fields: string[]) =>
    `<div style="border-top:solid #E1E1E1 1.0pt"><p>${fields.map(escaped).join('<br>')}</p></div>`;
  const BLOCK = outlook([from, date, to, subject]);

  it.each(Object.entries(TOP))('%s has the answer below it, up to the next header', (_, top) => {
    const mine = `\n${top}\n\n${QUESTION}\n\nOn Monday.\n\n`;
    for (const quote of Object.values(BELOW)) {
      expect(split(mine + quote)).toEqual({ fresh: mine, quoted: quote });
      expect(split(mine + quote, true).quoted).toBeNull();
    }
  });

  it.each(Object.entries(TOP))('%s begins the quote where no other header is below it', (_, top) => {
    for (const rest of [
      QUESTION,
      `${QUESTION}\n\n${from}\nso far.`,
      `See:\n---- Forwarded message ----\n${LINE}`,
      '',
    ]) {
      const text = `\n${top}\n\n${rest}`;
      expect(split(text).quoted).toContain(from);
      expect(split(text).fresh).toBe('\n');
      expect(split(text, true).quoted).toBeNull();
    }
  });

  it('has the answer below it on the line of the next header', () => {
    const mine = `${from}\n${date}\n${to}\n\nYes. `;
    expect(split(`${mine}${LINE}\n> And where?`).fresh).toBe(mine);
  });

  it('begins the quote where only a header is below it', () => {
    const text = `${from}\n${date}\n${to}\n\n${date}\n${from}\n${to}\n\n${QUESTION}`;
    expect(split(text).fresh).toBe('');
  });

  it.each([
    ['known', BLOCK],
    ['unknown', outlook(['Nork: Ann', 'Noiz: 17', 'Nori: Bob', 'Gaia: Plan'])],
  ])('of Outlook, in a language that is %s', (_, top) => {
    const [mine, theirs] = [`<p>${QUESTION}</p><p>On Monday.</p>`, `${BLOCK}<p>And where?</p>`];
    expect(splitMarkup(`<p>&nbsp;</p>${top}${mine}${theirs}`).fresh).toMatch(/^\S[^?]*\?\s+On Monday\.$/);
    expect(splitMarkup(top + mine)).toMatchObject({
      fresh: '',
      quoted: expect.stringContaining('On Monday'),
    });
  });

  it.each([
    ['an image', `<p><img src="cid:a@a.example"></p>${BLOCK}`],
    ['a reply’s own element', '<div id="divRplyFwdMsg"><b>From:</b> Ann</div>'],
    ['a delimiter', '<p>-----Original Message-----</p>'],
  ])('%s above or around the first message makes it a quote', (_, top) => {
    const { html } = splitHtml(sanitizeHtml(`${top}<p>${QUESTION}</p>${BLOCK}<p>And where?</p>`, 'mail'));
    expect(htmlToText(html.fresh)).toBe('');
    expect(html.fresh.includes('<img')).toBe(top.includes('<img'));
  });
});

describe('quoted lines that a mail program broke', () => {
  const LONG = '> In the meantime I would like to know whether the whole team could be';
  it.each([
    ['a last word without its mark', `${LONG}\nthere on Monday\n> or on Tuesday.`],
    ['a link in brackets', '> View it (http://a.example/view\n?id=1)\n>'],
    ['a link in angle brackets', '> View it <https://a.example/view\n?id=1>\n> today'],
    ['a link alone', '> View it\n (https://a.example/view) >\n> today'],
  ])('%s', (_, quote) => {
    const quoted = `${LINE}\n\n${quote}`;
    expect(split(`Yes.\n\n${quoted}`)).toEqual({ fresh: 'Yes.\n\n', quoted });
  });

  it.each([
    ['an answer in capitals', `${LONG}\nThere on Monday\n> or on Tuesday.`],
    [
      'an answer below a question',
      '> Would you like the whole team to be there on Monday in the afternoon?\nyes\n> Good.',
    ],
    ['an answer below a short line', '> Monday or Tuesday, you say\nmonday\n> Good.'],
    ['an answer of two lines', `${LONG}\nyes and\nno\n> or on Tuesday.`],
    ['an answer after a blank line', `${LONG}\n\nthere on Monday\n> or on Tuesday.`],
    ['an answer at the end', `${LONG}\nthere on Monday`],
    ['a link as the answer', '> Where is it?\nhttps://a.example/view\n> Thanks'],
  ])('%s is an answer', (_, quote) => {
    expect(split(`Yes.\n\n${LINE}\n\n${quote}`).quoted).toBeNull();
  });

  it('a list footer below a short rule is no answer', () => {
    expect(split(`Yes.\n\n${LINE}\n> ${QUESTION}\n\n__\nnotes mailing list\nnotes@l.example`).fresh).toBe(
      'Yes.\n\n',
    );
  });
});
