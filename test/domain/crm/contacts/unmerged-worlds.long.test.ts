import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Box, drop, has, newBox, viewOf } from '../../../support/boxes.ts';
import { givenDeal } from '../../../support/deals.ts';
import { Dice } from '../../../support/dice.ts';
import { mergeWhole, unmergeWhole } from '../../../support/duplicates.ts';
import { rounds } from '../../../support/long.ts';
import { givenContact, readContact } from '../../../support/proposals.ts';
import { comment, tag } from '../../../support/removed-records.ts';
import { expectConsistent } from '../../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Merges, changes and merges taken back by chance, compared with a naive model. */

const TAGS = ['Red', 'Green', 'Blue'];

class World {
  readonly boxes: Box[] = [];
  readonly #workspace: Workspace;
  readonly #dice: Dice;
  readonly #ada: TestUser;
  readonly #others: TestUser[];
  #made = 0;

  constructor(workspace: Workspace, dice: Dice) {
    this.#workspace = workspace;
    this.#dice = dice;
    this.#ada = workspace.ada;
    this.#others = [workspace.grace, workspace.linus];
  }

  async begin(): Promise<void> {
    for (let i = 0; i < 4; i++) this.boxes.push(newBox((await givenContact(this.#ada)).id));
    for (let i = 0; i < 3; i++) {
      const some = this.#dice.some(this.boxes, 2);
      const contacts = some.map(({ id }, place) => ({ id, role: `Role ${place}` }));
      const { id } = await givenDeal(this.#ada, { contacts });
      some.forEach((box, place) => void box.roles.set(id, `Role ${place}`));
    }
  }

  #onContact({ id }: Box) {
    return { record_type: 'contacts' as const, record_id: id };
  }

  readonly #steps: ((box: Box) => Promise<unknown>)[] = [
    async (box) => void box.comments.add((await comment(this.#workspace.grace, box.id)).id),
    async (box) => {
      const [id] = this.#dice.shuffled(viewOf(box).comments as string[]);
      if (!id) return;
      await this.#workspace.grace.api.deleteComment({ params: { id } });
      drop(box, 'comments', id);
    },
    async (box) => {
      const name = this.#dice.pick(TAGS);
      const tag_id = await tag(this.#ada, box.id, name);
      if (!has(box, 'tags', tag_id)) box.tags.add(tag_id);
    },
    async (box) => {
      const [tag_id] = this.#dice.shuffled(viewOf(box).tags as string[]);
      if (!tag_id) return;
      await this.#ada.api.removeTag({ params: { ...this.#onContact(box), tag_id } });
      drop(box, 'tags', tag_id);
    },
    async () => {
      const some = this.#dice.some(this.boxes, 1);
      const task = { name: 'About', contact_ids: some.map(({ id }) => id) };
      const { id } = (await this.#ada.api.createTask({ body: { task } })).body.task;
      for (const each of some) each.tasks.add(id);
    },
    async (box) => {
      const [id] = this.#dice.shuffled(viewOf(box).tasks as string[]);
      if (!id) return;
      const before = (await this.#ada.reader.retrieveTask({ params: { id } })).body.task;
      const contact_ids = before.contact_ids.filter((each) => each !== box.id);
      await this.#ada.api.updateTask({ params: { id }, body: { task: { contact_ids } } });
      drop(box, 'tasks', id);
    },
    async (box) => {
      const { user, api } = this.#dice.pick(this.#others);
      const pinned = has(box, 'pins', user.id);
      const params = { contact_id: box.id };
      await (pinned ? api.unpinContact({ params }) : api.pinContact({ params }));
      if (pinned) drop(box, 'pins', user.id);
      else box.pins.add(user.id);
    },
    async (box) => {
      const { user } = this.#dice.pick(this.#others);
      const { shares } = await readContact(this.#ada, box.id);
      const there = shares?.find(({ user_id }) => user_id === user.id);
      const params = this.#onContact(box);
      if (there) {
        await this.#ada.api.deleteShare({ params: { ...params, id: there.id } });
        return drop(box, 'shares', user.id);
      }
      const access = this.#dice.pick(['view', 'edit'] as const);
      await this.#ada.api.createShare({ params, body: { share: { user_id: user.id, access } } });
      box.shares.set(user.id, access);
    },
    async (box) => {
      const headline = `Headline ${++this.#made}`;
      await this.#ada.api.updateContact({ params: { id: box.id }, body: { contact: { headline } } });
      box.headline = headline;
    },
    async () => {
      const [into, from] = this.#dice.shuffled(this.boxes);
      if (!into || !from) return;
      await mergeWhole(this.#workspace, this.#ada, into.id, from.id);
      into.parts.push(from);
      this.boxes.splice(this.boxes.indexOf(from), 1);
    },
    async () => this.#unmerge(this.#dice.shuffled(this.boxes).find(({ parts }) => parts.length > 0)),
  ];

  async #unmerge(box: Box | undefined): Promise<void> {
    const gone = box?.parts.pop();
    if (!box || !gone) return;
    await unmergeWhole(this.#workspace, this.#ada, box.id, gone.id);
    this.boxes.push(gone);
  }

  step(): Promise<unknown> {
    return this.#dice.pick(this.#steps)(this.#dice.pick(this.boxes));
  }

  async unmergeAll(): Promise<void> {
    const merged = () => this.boxes.find(({ parts }) => parts.length > 0);
    for (let box = merged(); box; box = merged()) await this.#unmerge(box);
  }

  async #shown(box: Box): Promise<ReturnType<typeof viewOf>> {
    const { id } = box;
    const query = { contact_id: id, limit: 50 };
    const [contact, tasks, deals] = await Promise.all([
      readContact(this.#ada, id),
      this.#ada.reader.listTasks({ query }),
      this.#ada.reader.listDeals({ query }),
    ]);
    const readers = await Promise.all(this.#others.map((user) => readContact(user, id)));
    const roles = deals.body.collection.records.map((deal) => [
      deal.id,
      deal.contacts.find((each) => each.id === id)?.role,
    ]);
    return {
      headline: contact.headline,
      comments: (contact.comments ?? []).map((each) => each.id).sort(),
      tags: (contact.tags ?? []).map((each) => each.id).sort(),
      tasks: tasks.body.collection.records.map((each) => each.id).sort(),
      pins: this.#others.flatMap(({ user }, i) => (readers[i]?.pinned ? [user.id] : [])).sort(),
      roles: roles.sort(),
      shares: (contact.shares ?? []).map(({ user_id, access }) => [user_id, access]).sort(),
      merged_ids: contact.merged_ids.length,
    } as ReturnType<typeof viewOf>;
  }

  async check(): Promise<void> {
    for (const box of this.boxes) expect(await this.#shown(box)).toEqual(viewOf(box));
    await expectConsistent(this.#workspace.table, this.#workspace.account_id);
  }
}

describe('worlds in which merges are taken back', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  it.each(Array.from({ length: rounds(1, 8) }, (_, i) => i + 1))(
    'are as the model says: %i',
    async (seed) => {
      const world = new World(workspace, new Dice(seed));
      await world.begin();
      for (let i = 0; i < 30; i++) {
        await world.step();
        if (i % 10 === 9) await world.check();
      }
      await world.unmergeAll();
      await world.check();
    },
  );
});
