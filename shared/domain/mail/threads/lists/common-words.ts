/**
 * Common English words without a list: most threads contain one, so a page of them is soon found in the list of
 * all. None is also a name, and none is shorter than three letters: shorter words have no list anyway.
 */
export const commonWords: ReadonlySet<string> = new Set(
  [
    'about after all also and any are because been before but could did does for from had has have her here him his',
    'how its just like more most much not only other our out over should some such than that the their them then',
    'there these they this those too until very was were what when where which while who with within without would',
    'you your',
  ].flatMap((line) => line.split(' ')),
);
