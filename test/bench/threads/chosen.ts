import { pick, type Random } from './random.ts';

/** Which threads have which state, and what is searched in them. */

export const tagNames = ['first', 'second', 'rare', 'left', 'right'] as const;
export type TagName = (typeof tagNames)[number];

/** A page and some. */
export const PAGE = 55;
const RARE = 7;

/** Words and addresses to search, each in its own share of the threads. */
export const planted = {
  rare: 'contralto',
  /** Share the indexed prefix of common words: the rest of the word is compared. */
  rare_four: 'cony',
  rare_seven: 'contino',
  rare_beginning: 'prym',
  hundredth: 'harbour',
  common: 'ledger',
  frequent_address: 'kim@fjord.example',
  rare_address: 'noor@atoll.example',
  contact_addresses: ['lee@delta.example', 'lee.private@delta.example'],
  organization_address: 'desk@harbour.example',
};

/** Which threads have which state: sets of their numbers, 0 for the newest. */
export function choose(random: Random, count: number) {
  const share = (part: number) =>
    pick(random, Math.min(count, Math.max(PAGE, Math.round(part * count))), count);
  const rare = () => pick(random, Math.min(RARE, count), count);
  const both = share(0.015);
  const apart = rare();
  const [left, others] = [share(0.05), share(0.05)];
  return {
    unread: share(0.1),
    flagged: share(0.02),
    unresolved: share(0.4),
    unreplied: share(0.4),
    has_attachment: share(0.3),
    primary: share(0.7),
    second: share(0.3),
    shared: share(0.01),
    group: share(0.005),
    snoozed: share(0.01),
    snooze_ended: share(0.002),
    personal: share(0.5),
    lasting: share(0.002),
    rare_word: rare(),
    rare_four: rare(),
    rare_seven: rare(),
    rare_beginning: rare(),
    hundredth: share(0.01),
    common: share(0.3),
    frequent_address: share(0.2),
    rare_address: rare(),
    contact: share(0.01),
    organization: share(0.02),
    tags: {
      first: new Set([...both, ...share(0.015)]),
      second: new Set([...both, ...share(0.015)]),
      rare: rare(),
      left: new Set([...left, ...apart]),
      right: new Set([...[...others].filter((number) => !left.has(number)), ...apart]),
    },
  };
}

export type Chosen = ReturnType<typeof choose>;
