// Builds a program of the sandbox for Solana's machine: clang compiles for BPF, which the loader takes as an ELF shared
// object in which each call of the machine's own functions is a dynamic relocation by name. Debian's linker does not make
// these, so this one does. A program is one function, without data or constants.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FLAGS = ['-target', 'bpf', '-mcpu=v2', '-O2', '-ffreestanding', '-fno-builtin', '-Wall', '-Wextra', '-Werror'];
const HEADER = 64, PROGRAM_HEADER = 56, SECTION_HEADER = 64, SYMBOL = 24, RELOCATION = 16;
const MACHINE = 247, SHARED_OBJECT = 3, CALL = 10;
const LOAD = 1, DYNAMIC = 2, EXECUTE = 1, WRITE = 2, READ = 4;
const PROGBITS = 1, STRTAB = 3, DYNAMIC_SECTION = 6, REL = 9, DYNSYM = 11;
const TAG = { STRTAB: 5, SYMTAB: 6, STRSZ: 10, SYMENT: 11, REL: 17, RELSZ: 18, RELENT: 19, TEXTREL: 22 };

/** The shared object of a C file. */
export function buildProgram(source) {
    const directory = mkdtempSync(join(tmpdir(), 'program-'));
    try {
        const object = join(directory, 'program.o');
        execFileSync('clang', [...FLAGS, '-c', source, '-o', object], { stdio: ['ignore', 'inherit', 'inherit'] });
        return link(readObject(readFileSync(object)));
    } finally {
        rmSync(directory, { recursive: true });
    }
}

/** The instructions of an object file, and where they call what. */
function readObject(file) {
    const sections = sectionsOf(file);
    const named = (name) => sections.find((section) => section.name === name);
    const text = named('.text');
    if (sections.some(({ name, size }) => /^\.(data|rodata|bss)/.test(name) && size > 0)) throw new Error('a program has no data');
    const symbols = symbolsOf(file, named('.symtab'), named('.strtab'));
    const calls = relocationsOf(file, named('.rel.text')).map(({ offset, symbol }) => ({ offset, name: symbols[symbol].name }));
    return { code: file.subarray(text.offset, text.offset + text.size), calls, entry: symbols.find(({ name }) => name === 'entrypoint').value };
}

function sectionsOf(file) {
    const at = Number(file.readBigUInt64LE(40)), count = file.readUInt16LE(60), names = file.readUInt16LE(62);
    const raw = Array.from({ length: count }, (_, i) => {
        const header = file.subarray(at + i * SECTION_HEADER);
        return { nameAt: header.readUInt32LE(0), offset: Number(header.readBigUInt64LE(24)), size: Number(header.readBigUInt64LE(32)) };
    });
    return raw.map((section) => ({ ...section, name: textAt(file, raw[names].offset + section.nameAt) }));
}

function symbolsOf(file, { offset, size }, names) {
    return Array.from({ length: size / SYMBOL }, (_, i) => {
        const symbol = file.subarray(offset + i * SYMBOL);
        return { name: textAt(file, names.offset + symbol.readUInt32LE(0)), value: Number(symbol.readBigUInt64LE(8)) };
    });
}

function relocationsOf(file, section) {
    if (section === undefined) return [];
    return Array.from({ length: section.size / RELOCATION }, (_, i) => {
        const relocation = file.subarray(section.offset + i * RELOCATION);
        if (relocation.readUInt32LE(8) !== CALL) throw new Error('a relocation that is no call');
        return { offset: Number(relocation.readBigUInt64LE(0)), symbol: relocation.readUInt32LE(12) };
    });
}

const textAt = (file, at) => file.toString('latin1', at, file.indexOf(0, at));

// ---------------------------------------------------------------- writing

const bytes = (size, fill) => {
    const buffer = Buffer.alloc(size);
    fill(buffer);
    return buffer;
};
const u64s = (...values) => bytes(values.length * 8, (b) => values.forEach((value, i) => b.writeBigUInt64LE(BigInt(value), i * 8)));

/** Texts one after the other, and where each begins. */
function strings(list) {
    const places = {};
    let text = '\0';
    for (const each of list) {
        places[each] = text.length;
        text += `${each}\0`;
    }
    return { places, data: Buffer.from(text, 'latin1') };
}

function link({ code, calls, entry }) {
    const functions = [...new Set(calls.map(({ name }) => name))];
    const names = strings(functions);
    const textAt0 = HEADER + 3 * PROGRAM_HEADER;
    const placed = [];
    let at = textAt0;
    const place = (name, type, flags, data, extra = {}) => {
        at = (at + 7) & ~7;
        placed.push({ name, type, flags, data, at, ...extra });
        at += data.length;
        return at - data.length;
    };
    const instructions = Buffer.from(code);
    for (const { offset } of calls) instructions.writeInt32LE(-1, offset + 4);
    place('.text', PROGBITS, 6, instructions);
    const dynamicAt = place('.dynamic', DYNAMIC_SECTION, 3, Buffer.alloc(9 * 16), { link: 4, entry: 16 });
    const symbols = Buffer.concat([Buffer.alloc(SYMBOL), ...functions.map((name) => bytes(SYMBOL, (b) => {
        b.writeUInt32LE(names.places[name], 0);
        b.writeUInt8(0x10, 4); // global, of no type
    }))]);
    const symbolsAt = place('.dynsym', DYNSYM, 2, symbols, { link: 4, entry: SYMBOL, info: 1 });
    const namesAt = place('.dynstr', STRTAB, 2, names.data);
    const relocations = Buffer.concat(calls.map(({ offset, name }) => bytes(RELOCATION, (b) => {
        b.writeBigUInt64LE(BigInt(textAt0 + offset), 0);
        b.writeUInt32LE(CALL, 8);
        b.writeUInt32LE(functions.indexOf(name) + 1, 12);
    })));
    const relocationsAt = place('.rel.dyn', REL, 2, relocations, { link: 3, entry: RELOCATION });
    const dynamicEnd = at;
    u64s(
        TAG.REL, relocationsAt, TAG.RELSZ, relocations.length, TAG.RELENT, RELOCATION, TAG.SYMTAB, symbolsAt, TAG.SYMENT, SYMBOL,
        TAG.STRTAB, namesAt, TAG.STRSZ, names.data.length, TAG.TEXTREL, 0, 0, 0,
    ).copy(placed[1].data);
    const sectionNames = strings([...placed.map(({ name }) => name), '.shstrtab']);
    place('.shstrtab', STRTAB, 0, sectionNames.data);
    const sectionsAt = (at + 7) & ~7;
    const file = Buffer.alloc(sectionsAt + (placed.length + 1) * SECTION_HEADER);
    writeHeader(file, textAt0 + entry, sectionsAt, placed.length + 1);
    writeSegment(file, 0, LOAD, READ | EXECUTE, textAt0, instructions.length, 0x1000);
    writeSegment(file, 1, LOAD, READ | WRITE, dynamicAt, dynamicEnd - dynamicAt, 0x1000);
    writeSegment(file, 2, DYNAMIC, READ | WRITE, dynamicAt, placed[1].data.length, 8);
    placed.forEach((section, i) => {
        section.data.copy(file, section.at);
        writeSection(file.subarray(sectionsAt + (i + 1) * SECTION_HEADER), section, sectionNames.places);
    });
    return file;
}

function writeHeader(file, entry, sectionsAt, sections) {
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file);
    file.writeUInt16LE(SHARED_OBJECT, 16);
    file.writeUInt16LE(MACHINE, 18);
    file.writeUInt32LE(1, 20);
    u64s(entry, HEADER, sectionsAt).copy(file, 24);
    [HEADER, PROGRAM_HEADER, 3, SECTION_HEADER, sections, sections - 1].forEach((value, i) => file.writeUInt16LE(value, 52 + 2 * i));
}

function writeSegment(file, index, type, flags, at, size, align) {
    const header = file.subarray(HEADER + index * PROGRAM_HEADER);
    header.writeUInt32LE(type, 0);
    header.writeUInt32LE(flags, 4);
    u64s(at, at, at, size, size, align).copy(header, 8);
}

function writeSection(header, { name, type, flags, at, data, link: linked = 0, info = 0, entry = 0 }, places) {
    header.writeUInt32LE(places[name], 0);
    header.writeUInt32LE(type, 4);
    u64s(flags, flags === 0 ? 0 : at, at, data.length).copy(header, 8);
    header.writeUInt32LE(linked, 40);
    header.writeUInt32LE(info, 44);
    u64s(8, entry).copy(header, 48);
}
