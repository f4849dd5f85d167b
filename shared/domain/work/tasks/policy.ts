import type { RecordKinds, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import {
  loadRecord,
  requireEditable,
  requireRecord,
  type SeesLink,
} from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Task } from './task.ts';

/** Whether the caller sees a record that the task is about. */
export const seesLinkIn =
  (linked: LinkedRecords): SeesLink<Task> =>
  ({ links }) =>
    linked.seesAny(links);

/** The same with the kinds of the linked records, for what the kinds themselves are made of. */
export const seesLinkAmong =
  (records: RecordKinds) =>
  (ctx: CallerContext): SeesLink<Task> =>
    seesLinkIn(new LinkedRecords({ ...ctx, ports: { records } }));

/** A task that the caller sees. */
export const loadTask = (ctx: CallerContext, id: string, seesLink: SeesLink<Task>) =>
  loadRecord<Task>(ctx, 'tasks', id, seesLink);

/** 404 for any other. */
export const requireTask = (
  ctx: CallerContext<SeesRecords>,
  id: string,
  linked: LinkedRecords = new LinkedRecords(ctx),
) => requireRecord<Task>(ctx, 'tasks', id, seesLinkIn(linked));

/** A task that the caller may change. 404 for a hidden one, 403 for one that the caller may only look at. */
export const requireEditableTask = (
  ctx: CallerContext<SeesRecords>,
  id: string,
  linked: LinkedRecords = new LinkedRecords(ctx),
) => requireEditable<Task>(ctx, 'tasks', id, seesLinkIn(linked));
