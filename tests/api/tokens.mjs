// What a text costs a model that reads it: tokens of o200k.

import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

const encoder = new Tiktoken(o200k);

export const tokens = (text) => encoder.encode(text, 'all').length;

/** A tool as a host shows it to its model. */
export const toolTokens = ({ name, description, inputSchema }) => tokens(JSON.stringify({ name, description, inputSchema }));
