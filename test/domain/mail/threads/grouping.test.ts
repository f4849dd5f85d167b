import { describe, expect, it } from 'vitest';
import type { Addresses, Link } from '#shared/domain/mail/threads/forest.ts';
import { groupsOf, heirsOf, type KnownThread, type Meeting } from '#shared/domain/mail/threads/grouping.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';

/** Which messages belong together, by their claims and their mailboxes. */
describe('groups of messages', () => {
  const addresses: Addresses = {
    of: new Map([
      ['A', new Set(['ada@acme.example'])],
      ['G', new Set(['grace@acme.example', 'alias@acme.example'])],
    ]),
    own: new Set(['ada@acme.example', 'grace@acme.example', 'alias@acme.example']),
  };

  type Draft = Partial<Omit<Link, 'mailbox_ids'>> & {
    in?: string;
    to?: string[];
    thread?: string;
  };

  /** `in` are the mailboxes, a letter each. All ancestors are `ancestors`, nearest first. */
  const message = (id: string, { in: boxes = 'A', to = [], thread = id, ...rest }: Draft = {}): Link => ({
    id,
    id_hash: id,
    thread_id: thread,
    ancestors: [],
    ...(rest.ancestors?.length ? { oldest: rest.ancestors.at(-1) as string } : {}),
    base_subject: 'plan',
    sent: 1,
    received_in: {},
    from: 'priya@x.example',
    mailbox_ids: new Set(boxes),
    held_by: new Set(boxes),
    people: new Set(['priya@x.example', ...to]),
    ...rest,
  });

  type Given = { shares?: object; annotated?: boolean; closed?: boolean; merged_into?: string };

  const threadsOf = (links: Link[], given: Record<string, Given> = {}): KnownThread[] =>
    [...Map.groupBy(links, ({ thread_id }) => thread_id)].map(([id, of]) => {
      const { shares = {}, annotated = false, closed = false, merged_into } = given[id] ?? {};
      const mailbox_ids = new Set(of.flatMap((link) => [...link.mailbox_ids]));
      const thread = {
        id,
        mailbox_ids,
        shares,
        ...(merged_into ? { merged_into } : {}),
      } as unknown as Thread;
      return { thread, links: of, annotated, closed };
    });

  const grouped = (links: Link[], given?: Record<string, Given>, meetings: Meeting[] = []) =>
    groupsOf(threadsOf(links, given), meetings, addresses)
      .map((group) =>
        group.links
          .map(({ id }) => id)
          .sort()
          .join(' '),
      )
      .sort();

  it.each<[string, Link[], string[]]>([
    ['a reply and its parent', [message('1'), message('2', { ancestors: ['1'] })], ['1 2']],
    ['unrelated mail', [message('1'), message('2')], ['1', '2']],
    [
      'the nearest ancestor that is there',
      [message('1'), message('2'), message('3', { ancestors: ['gone', '2', '1'] })],
      ['1', '2 3'],
    ],
    [
      'those that name the same missing oldest ancestor',
      [message('2', { ancestors: ['b', 'a'] }), message('3', { ancestors: ['c', 'a'] })],
      ['2 3'],
    ],
    [
      'those that name another missing one are apart',
      [message('2', { ancestors: ['a'] }), message('3', { ancestors: ['b'] })],
      ['2', '3'],
    ],
    [
      'a missing one that names an ancestor too, once it is there',
      [message('1'), message('2', { ancestors: ['1'] }), message('3', { ancestors: ['2'] })],
      ['1 2 3'],
    ],
    [
      'no parent in a mailbox that does not have it',
      [message('1', { in: 'A' }), message('2', { in: 'G', ancestors: ['1'] })],
      ['1', '2'],
    ],
    [
      'a parent that names the mailbox',
      [message('1', { in: 'A', to: ['grace@acme.example'] }), message('2', { in: 'G', ancestors: ['1'] })],
      ['1 2'],
    ],
    [
      'a parent that names an alias of the mailbox',
      [message('1', { in: 'A', to: ['alias@acme.example'] }), message('2', { in: 'G', ancestors: ['1'] })],
      ['1 2'],
    ],
    [
      'not even the same missing one in two mailboxes',
      [message('2', { in: 'A', ancestors: ['a'] }), message('3', { in: 'G', ancestors: ['a'] })],
      ['2', '3'],
    ],
    [
      'a message that reached both ties them together',
      [
        message('2', { in: 'A', ancestors: ['a'] }),
        message('3', { in: 'G', ancestors: ['a'] }),
        message('4', { in: 'AG', ancestors: ['a'] }),
      ],
      ['2 3 4'],
    ],
    [
      'a new subject among new people',
      [
        message('1', { people: new Set(['p@x', 'ada@acme.example']) }),
        message('2', {
          ancestors: ['1'],
          base_subject: 'fleet',
          people: new Set(['q@x', 'ada@acme.example']),
        }),
      ],
      ['1', '2'],
    ],
    [
      'a new subject among some of the people',
      [
        message('1', { people: new Set(['p@x']) }),
        message('2', { ancestors: ['1'], base_subject: 'fleet', people: new Set(['p@x', 'q@x']) }),
      ],
      ['1 2'],
    ],
    [
      'the same subject among new people',
      [
        message('1', { people: new Set(['p@x']) }),
        message('2', { ancestors: ['1'], people: new Set(['q@x']) }),
      ],
      ['1 2'],
    ],
    [
      'a circle of claims',
      [
        message('1', { ancestors: ['2'] }),
        message('2', { ancestors: ['3'] }),
        message('3', { ancestors: ['1'] }),
      ],
      ['1 2 3'],
    ],
    [
      'copies that a list changed, without an ancestor',
      [message('1', { id_hash: 'x' }), message('2', { id_hash: 'x' })],
      ['1 2'],
    ],
    [
      'no forgeries: another sender',
      [message('1', { id_hash: 'x' }), message('2', { id_hash: 'x', from: 'q@x' })],
      ['1', '2'],
    ],
    [
      'no forgeries: another subject',
      [message('1', { id_hash: 'x' }), message('2', { id_hash: 'x', base_subject: 'other' })],
      ['1', '2'],
    ],
    [
      'no forgeries: another date',
      [message('1', { id_hash: 'x' }), message('2', { id_hash: 'x', sent: 2 })],
      ['1', '2'],
    ],
    [
      'no copies: one of them has an ancestor',
      [message('s'), message('1', { id_hash: 'x' }), message('2', { id_hash: 'x', ancestors: ['s'] })],
      ['1', '2 s'],
    ],
    [
      'no copies of another mailbox',
      [message('1', { id_hash: 'x', in: 'A' }), message('2', { id_hash: 'x', in: 'G' })],
      ['1', '2'],
    ],
    [
      'of two that claim the id, the one received first',
      [
        message('1', { id_hash: 'x', received_in: { A: 9 }, from: 'q@x' }),
        message('2', { id_hash: 'x', received_in: { A: 3 } }),
        message('3', { ancestors: ['x'] }),
      ],
      ['1', '2 3'],
    ],
    [
      'of two that claim the id, the one that this mailbox received first',
      [
        message('1', { id_hash: 'x', in: 'AG', received_in: { A: 9, G: 1 }, from: 'q@x' }),
        message('2', { id_hash: 'x', received_in: { A: 3 } }),
        message('3', { ancestors: ['x'] }),
      ],
      ['1', '2 3'],
    ],
    [
      'of two that claim the id, the one of the mailbox before one that only names it',
      [
        message('1', { id_hash: 'x', in: 'A', received_in: { A: 1 }, to: ['grace@acme.example'] }),
        message('2', { id_hash: 'x', in: 'G', received_in: { G: 5 } }),
        message('3', { in: 'G', ancestors: ['x'] }),
      ],
      ['1', '2 3'],
    ],
  ])('%s', (_what, links, expected) => {
    expect(grouped(links)).toEqual(expected);
    expect(grouped(links.toReversed())).toEqual(expected);
  });

  describe('stay apart when joining would let somebody read more', () => {
    const reply = (thread: string, boxes = 'A') => message('2', { ancestors: ['1'], thread, in: boxes });
    const share = { some: {} };
    it.each<[string, Link[], Record<string, Given>, string[]]>([
      [
        'a shared thread takes none',
        [message('1', { thread: 'S' }), reply('T')],
        { S: { shares: share } },
        ['1', '2'],
      ],
      [
        'a shared thread gives none',
        [message('1', { thread: 'S' }), reply('T')],
        { T: { shares: share } },
        ['1', '2'],
      ],
      [
        'a shared thread keeps what it had',
        [message('1', { thread: 'S' }), message('3', { thread: 'S' })],
        { S: { shares: share } },
        ['1 3'],
      ],
      [
        'comments do not meet other readers',
        [message('1', { thread: 'S', in: 'AG' }), reply('T')],
        { T: { annotated: true } },
        ['1', '2'],
      ],
      [
        'nor from the other side',
        [message('1', { thread: 'S' }), reply('T', 'AG')],
        { S: { annotated: true } },
        ['1', '2'],
      ],
      [
        'comments meet the same readers',
        [message('1', { thread: 'S' }), reply('T')],
        { S: { annotated: true }, T: { annotated: true } },
        ['1 2'],
      ],
      [
        'comments may be read by some of their readers',
        [message('1', { thread: 'S', in: 'AG' }), reply('T')],
        { S: { annotated: true } },
        ['1 2'],
      ],
      [
        'what may not follow stays where it is, together',
        [message('1', { thread: 'S' }), reply('T'), message('3', { ancestors: ['1'], thread: 'T' })],
        { S: { shares: share } },
        ['1', '2 3'],
      ],
      [
        'a closed thread takes none',
        [message('1', { thread: 'S' }), reply('T')],
        { S: { closed: true } },
        ['1', '2'],
      ],
      [
        'a merge that was announced goes on',
        [message('1', { thread: 'S', in: 'AG' }), reply('T')],
        { S: { annotated: true }, T: { annotated: true, merged_into: 'S' } },
        ['1 2'],
      ],
    ])('%s', (_what, links, given, expected) => {
      expect(grouped(links, given)).toEqual(expected);
    });

    it('that wait for the same message do not join in a shared thread', () => {
      const links = [
        message('2', { thread: 'S', ancestors: ['a'] }),
        message('3', { thread: 'T', ancestors: ['a'] }),
      ];
      const meetings = [{ hash: 'a', mailbox_id: 'A', thread_id: 'S' }];
      expect(grouped(links, {}, meetings)).toEqual(['2 3']);
      expect(grouped(links, { S: { shares: share } }, meetings)).toEqual(['2', '3']);
    });
  });

  it('continue in the thread of most of their messages, the oldest of several', () => {
    const links = [
      message('1', { thread: 'B' }),
      message('2', { thread: 'A', ancestors: ['1'] }),
      message('3', { thread: 'A', ancestors: ['1'] }),
      message('4', { thread: 'A' }),
    ];
    const threads = threadsOf(links);
    const groups = groupsOf(threads, [], addresses);
    const heirs = [...heirsOf(threads, groups)].map(([group, ids]) => [group.links.length, ids]);
    expect(heirs).toEqual([[3, ['A', 'B']]]);
  });
});
