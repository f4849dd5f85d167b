import { setOf, type Token } from './command.ts';
import type { ImapMessage } from './mailbox.ts';

/** SEARCH (RFC 3501, 6.4.4), as far as clients of mailboxes need it. */

interface Searched {
  message: ImapMessage;
  number: number;
}

type Test = (searched: Searched) => boolean;

const FLAGS: Readonly<Record<string, string>> = {
  SEEN: '\\Seen',
  FLAGGED: '\\Flagged',
  ANSWERED: '\\Answered',
  DELETED: '\\Deleted',
  DRAFT: '\\Draft',
};

function headerValues({ raw }: ImapMessage, name: string): string[] {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .subarray(0, end < 0 ? raw.length : end)
    .toString('utf8')
    .split(/\r\n(?![ \t])/);
  const prefix = `${name.toLowerCase()}:`;
  return lines
    .filter((line) => line.toLowerCase().startsWith(prefix))
    .map((line) => line.slice(prefix.length));
}

const utf8 = (token: Token | undefined) => Buffer.from(String(token ?? ''), 'latin1').toString('utf8');

function headerTest(name: Token | undefined, value: Token | undefined): Test {
  const part = utf8(value).toLowerCase();
  return ({ message }) => headerValues(message, utf8(name)).some((each) => each.toLowerCase().includes(part));
}

/** Takes one key from the front of `keys`; undefined when it is not known. */
function takeKey(keys: Token[], last: { uid: number; number: number }): Test | undefined {
  const key = keys.shift();
  if (Array.isArray(key)) return testOf(key, last);
  const name = String(key).toUpperCase();
  const flag = FLAGS[name] ?? FLAGS[name.replace(/^UN/, '')];
  if (flag) return ({ message }) => message.flags.has(flag) === name in FLAGS;
  if (name === 'ALL') return () => true;
  if (name === 'UID') {
    const has = setOf(String(keys.shift()), last.uid);
    return ({ message }) => has(message.uid);
  }
  if (name === 'HEADER') return headerTest(keys.shift(), keys.shift());
  if (name === 'KEYWORD' || name === 'UNKEYWORD') {
    const keyword = String(keys.shift());
    return ({ message }) => message.flags.has(keyword) === (name === 'KEYWORD');
  }
  if (name === 'NOT') {
    const test = takeKey(keys, last);
    return test && ((searched) => !test(searched));
  }
  if (!/^[\d*][\d:,*]*$/.test(name)) return undefined;
  const has = setOf(name, last.number);
  return ({ number }) => has(number);
}

/** All keys together; undefined when one is not known. */
export function testOf(args: readonly Token[], last: { uid: number; number: number }): Test | undefined {
  const keys = [...args];
  if (String(keys[0]).toUpperCase() === 'CHARSET') keys.splice(0, 2);
  const tests: Test[] = [];
  while (keys.length > 0) {
    const test = takeKey(keys, last);
    if (!test) return undefined;
    tests.push(test);
  }
  return (searched) => tests.every((test) => test(searched));
}
