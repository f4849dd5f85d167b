import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownParticipants } from '#shared/domain/mail/threads/participants.ts';

const addresses = fc.uniqueArray(fc.emailAddress(), { maxLength: 30 });

test('returns as many as wanted, senders first, each with its name', () => {
  fc.assert(
    fc.property(addresses, fc.nat(30), fc.infiniteStream(fc.boolean()), (all, most, sent) => {
      const participant_names = Object.fromEntries(
        all.map((address, i) => [address, i % 3 ? address : null]),
      );
      const sender_email_addresses = all.filter(() => sent.next().value);
      const shown = shownParticipants({ participant_names, sender_email_addresses }, most);
      const given = Object.keys(shown);
      expect(given).toHaveLength(Math.min(most, all.length));
      for (const address of given) expect(shown[address]).toBe(participant_names[address]);
      const senders = given.filter((address) => sender_email_addresses.includes(address));
      expect(senders).toHaveLength(Math.min(sender_email_addresses.length, given.length));
    }),
  );
});
