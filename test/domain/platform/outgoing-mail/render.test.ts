import { describe, expect, it } from 'vitest';
import type { Part } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { render } from '#shared/domain/platform/outgoing-mail/render.ts';

/** docs/decisions/0060-mail-that-the-service-sends.md */
const mail = (subject: string, ...parts: Part[]) => render({ to: 'ada@acme.example', subject, parts });

describe('a mail', () => {
  it('has a code on a line of its own, and a link', () => {
    const { text, html } = mail(
      'Hello',
      { paragraph: 'Your code:' },
      { code: '012345' },
      { link: { url: 'https://acme.example/a?b=1&c="', label: 'Sign in' } },
      { list: ['one', 'two'] },
    );
    expect(text).toBe('Your code:\n\n012345\n\nSign in:\nhttps://acme.example/a?b=1&c=%22\n\n- one\n- two\n');
    expect(html).toContain('>012345<');
    expect(html).toContain('href="https://acme.example/a?b=1&amp;c=%22"');
    expect(html).toContain('<li>one</li><li>two</li>');
  });

  it('has lines that lead somewhere, and a small note with a link below', () => {
    const { text, html } = mail(
      'Hello',
      { list: [{ text: 'one', url: 'https://acme.example/1' }, { text: 'two', url: undefined }, 'three'] },
      { note: 'You asked for it.', link: { url: 'https://acme.example/end', label: 'End it' } },
      { note: 'Bye.' },
    );
    expect(text).toBe(
      '- one\n  https://acme.example/1\n- two\n- three\n\n' +
        'You asked for it.\nEnd it:\nhttps://acme.example/end\n\nBye.\n',
    );
    expect(html).toMatch(
      /<li><a href="https:\/\/acme\.example\/1"[^>]*>one<\/a><\/li><li>two<\/li><li>three<\/li>/,
    );
    expect(html).toMatch(/<p style="[^"]*font-size:13px[^"]*">You asked for it\. <a href=/);
  });

  it('fits a phone: one column, a viewport, no images', () => {
    const { html } = mail('Hello', { paragraph: 'Hello' });
    expect(html).toMatch(/name="viewport" content="width=device-width/);
    expect(html).toContain('max-width:480px');
    expect(html).not.toMatch(/<img|<script|url\(/);
  });

  const hostile = [
    ['Ada\r\nBcc: eve@evil.example', /[\r\n]Bcc/],
    ['Ada\u2028Subject: x', /\u2028/],
    ['invoice\u202efdp.exe', /\u202e/],
    ['\u2066hidden\u2069', /[\u2066\u2069]/],
    ['zero\u200bwidth\ufeff', /[\u200b\ufeff]/],
    ['visit https://evil.example/login now', /https:\/\/|evil\.example/],
    ['eve@evil.example', /eve@evil|evil\.example/],
    ['www.evil.example', /www\.evil|evil\.example/],
    ['lone \ud800 half', /\ud800/],
    ['\0\u0007\u001b[31m', /(?!\n)\p{Cc}/u],
  ] as const;
  it.each(hostile)('says %j without harm', (name, harm) => {
    const made = mail(`${name} invites you`, { paragraph: `${name} invites you.` }, { list: [name] });
    const line = { text: name, url: 'https://app.acme.test/' };
    const more = mail(name, { list: [line] }, { note: name, link: { url: line.url, label: name } });
    for (const each of [more.subject, more.text, more.html])
      expect(each.replaceAll(line.url, '')).not.toMatch(harm);
    expect(more.text.split('\n')).toHaveLength(7);
    expect(made.subject).not.toMatch(harm);
    expect(made.subject).not.toMatch(/[\r\n]/);
    expect(made.text).not.toMatch(harm);
    expect(made.html).not.toMatch(harm);
    expect(made.text.split('\n')).toHaveLength(4);
  });

  it.each(['<img src=x onerror=alert(1)>', '"><a href="x">', '</title><script>', "'><b>", '&lt;i&gt;'])(
    'shows %j as text',
    (name) => {
      const { text, html } = mail(name, { paragraph: name }, { list: [name] });
      expect(text).toContain(name);
      expect(html).not.toMatch(/<(img|a|script|b|i)\b/);
      expect(html).not.toContain(name);
    },
  );

  it('keeps names as people write them', () => {
    for (const name of ['Zoë O’Neill', 'נועה', 'نام‌خانوادگی', '👩🏽‍🚀 Ada', '山田 太郎', 'J. R. R. Tolkien'])
      expect(mail(name, { paragraph: name })).toMatchObject({ subject: name, text: `${name}\n` });
  });

  it('cuts what is too long, between characters', () => {
    const { subject, text } = mail('👍'.repeat(255), { paragraph: 'a'.repeat(5_000) });
    expect([...subject]).toHaveLength(150);
    expect(subject.isWellFormed()).toBe(true);
    expect(text.length).toBeLessThan(1_010);
  });

  it('has its address of unsubscription in a form that fits a header', () => {
    const unsubscribe_url = 'https://a.example/x>y\r\nBcc: eve@evil.example?<"';
    const made = render({ to: 'ada@acme.example', subject: 'x', parts: [], unsubscribe_url }).unsubscribe_url;
    expect(made).toMatch(/^https:\/\/a\.example\/[^\s<>"]*$/);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'mailto:eve@evil.example', 'no address'])(
    'has no link to %s',
    (url) => {
      expect(() => mail('Hello', { link: { url, label: 'x' } })).toThrow();
      expect(() => mail('Hello', { list: [{ text: 'x', url }] })).toThrow();
      expect(() => mail('Hello', { note: 'x', link: { url, label: 'x' } })).toThrow();
      expect(() => render({ to: 'a@b.c', subject: 'x', parts: [], unsubscribe_url: url })).toThrow();
    },
  );
});
