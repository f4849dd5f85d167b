/** The key or session token, in the local storage of this address until the user signs out. */

const NAME = 'app_key';

export const readKey = () => localStorage.getItem(NAME);
export const keepKey = (key: string) => localStorage.setItem(NAME, key);
export const forgetKey = () => localStorage.removeItem(NAME);
