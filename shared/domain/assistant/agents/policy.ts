import { recordNotFound } from '#shared/errors.ts';
import { type AgentSlug, isAgentSlug } from './agent.ts';

/** All users of an account see the configurations of its agents; admins change them. */

/** 404 when there is no such agent. */
export function requireAgent(slug: string): AgentSlug {
  if (!isAgentSlug(slug)) throw recordNotFound();
  return slug;
}
