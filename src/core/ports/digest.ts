/** MD5 of a text's UTF-8 bytes, in lower-case hex. Passed in: the pure folders have no crypto. */
export type Md5 = (text: string) => string;
