import { conversationDetail, conversationList } from './conversations.ts';
import { dashboardPane } from './dashboard.ts';
import { notificationList } from './notifications.ts';
import type { Section } from './pane.ts';
import { proposalDetail, proposalList } from './proposals.ts';
import { recordKinds } from './record-kinds.ts';
import { recordDetail, recordList } from './records.ts';
import { searchList } from './search.ts';
import { threadDetail } from './thread.ts';
import { threadList } from './threads.ts';

/** The sections by the first part of their address, in the order of the navigation. */

/** `changed` refreshes the list and the detail that are shown. */
export function sectionsWith(changed: () => unknown): Record<string, Section> {
  const records = Object.entries(recordKinds).map(([name, { title, letter }]) => {
    const section = name as keyof typeof recordKinds;
    const entry: Section = {
      title,
      letter,
      list: (place) => recordList(section, place),
      detail: (id) => recordDetail(section, id, changed),
    };
    return [name, entry] as const;
  });
  return {
    '': { title: 'Dashboard', letter: 'h', list: dashboardPane },
    threads: {
      title: 'Threads',
      letter: 'i',
      list: (place) => threadList(place, changed),
      detail: (id) => threadDetail(id, changed),
    },
    ...Object.fromEntries(records),
    notifications: { title: 'Notifications', letter: 'n', list: (place) => notificationList(place, changed) },
    conversations: {
      title: 'Assistant',
      letter: 'a',
      list: conversationList,
      detail: (id) => conversationDetail(id, changed),
    },
    proposals: {
      title: 'Proposals',
      letter: 'p',
      list: proposalList,
      detail: (id) => proposalDetail(id, changed),
    },
    search: { title: 'Search', letter: 's', list: searchList },
  };
}
